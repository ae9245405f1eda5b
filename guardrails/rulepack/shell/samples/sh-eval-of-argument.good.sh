#!/bin/bash
"$@"
