FROM debian:12
RUN curl -fsSL -o install.sh https://example.com/install.sh && sha256sum -c sums && sh install.sh
