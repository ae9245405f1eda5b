#!/bin/bash
eval "$1"
