#!/bin/sh
# An authority of the cluster's own, and a certificate for each machine, with which etcd, Patroni and PostgreSQL know each
# other. A certificate that is there stays: to renew one (after five years), remove its file and run this again.
#   ./make-certificates.sh FOLDER db1=10.0.0.11 db2=10.0.0.12 db3=10.0.0.13      # more addresses of one: db1=10.0.0.11,10.1.0.11
# Keep ca.key off the machines. Each of them gets ca.pem, and NAME.pem and NAME.key of its own.
set -eu
umask 077
folder=$1
shift
mkdir -p "$folder"
cd "$folder"

if [ ! -e ca.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj "/CN=Tilinta cluster" \
    -addext "keyUsage=critical,keyCertSign,cRLSign" -keyout ca.key -out ca.pem
fi

for machine in "$@"; do
  name=${machine%%=*}
  [ -e "$name.pem" ] && continue
  # Servers reach the database as 127.0.0.1, through the HAProxy of their own machine.
  {
    echo "basicConstraints=critical,CA:FALSE"
    echo "extendedKeyUsage=serverAuth,clientAuth"
    echo "subjectAltName=DNS:$name,DNS:localhost,IP:127.0.0.1,IP:$(echo "${machine#*=}" | sed "s/,/,IP:/g")"
  } > "$name.extensions"
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$name" \
    -keyout "$name.key" -out "$name.request"
  openssl x509 -req -in "$name.request" -CA ca.pem -CAkey ca.key -CAcreateserial -days 1825 \
    -extfile "$name.extensions" -out "$name.pem"
  rm "$name.request" "$name.extensions"
done
