"""Prints template.yaml after the SAM transform, as JSON: what CloudFormation gets.

After the path, parameters may follow as Name=value, for what SAM itself decides by.
"""

import json
import os
import sys
from typing import Any

from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from samtranslator.yaml_helper import yaml_parse


def transform(path: str, parameters: dict[str, str], code: str = "s3://bucket/code.zip") -> dict[str, Any]:
    os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")  # SAM asks for one
    with open(path, encoding="utf-8") as file:
        template = yaml_parse(file.read())
    # `sam deploy` puts the uploaded code here.
    template["Globals"]["Function"]["CodeUri"] = code
    return Translator({}, Parser()).translate(template, parameters)


if __name__ == "__main__":
    json.dump(transform(sys.argv[1], dict(argument.split("=", 1) for argument in sys.argv[2:])), sys.stdout, indent=1)
