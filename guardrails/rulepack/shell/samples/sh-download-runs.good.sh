#!/bin/sh
curl -fsSL -o install.sh https://example.com/install.sh
echo "$SUM  install.sh" | sha256sum -c - && sh install.sh
