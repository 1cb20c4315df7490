#!/bin/sh
# Removes what an installation on this machine does not load: the Node that npm installs for older systems (186 MB), the
# libraries of other platforms in onnxruntime-node (240 MB), and source maps (18 MB). Run it after `npm ci --omit=dev`,
# only where Node 24 or newer is installed.
set -eu
cd "$(dirname "$0")/../node_modules"
rm -rf node-linux-* node-bin-* node-win-* .bin/node
own="linux/$(node -p process.arch)"
for folder in onnxruntime-node/bin/*/*/*; do
  case "$folder" in
    */"$own") ;;
    *) rm -rf "$folder" ;;
  esac
done
find . -name '*.map' -type f -exec rm -f {} +
