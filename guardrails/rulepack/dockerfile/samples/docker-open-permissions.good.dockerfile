FROM debian:12
RUN mkdir /srv/app && chmod -R 755 /srv/app
