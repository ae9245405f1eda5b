FROM debian:12
RUN mkdir /srv/app && chmod -R 777 /srv/app
