"""Prints template.yaml after the SAM transform, as JSON: what CloudFormation gets."""

import json
import os
import sys
from typing import Any

from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse


def transform(path: str) -> dict[str, Any]:
    os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")  # SAM asks for one
    with open(path, encoding="utf-8") as file:
        template = yaml_parse(file.read())
    # `sam deploy` puts the uploaded code here.
    template["Globals"]["Function"]["CodeUri"] = "s3://bucket/code.zip"
    return Translator({}, Parser()).translate(template, {})


if __name__ == "__main__":
    json.dump(transform(sys.argv[1]), sys.stdout, indent=1)
