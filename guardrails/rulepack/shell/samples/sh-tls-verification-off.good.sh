#!/bin/sh
curl --cacert our.pem https://example.com/data -o data
