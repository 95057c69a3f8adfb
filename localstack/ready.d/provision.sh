#!/bin/sh
# LocalStack runs this when its services are ready. It creates the tables, queues and secrets of
# template.yaml.
cd /opt/aviso && AWS_ENDPOINT_URL=http://127.0.0.1:4566 exec bin/localstack -provision
