"""Check JSON documents of the command against docs/reference/tutti.schema.json: every key is listed, and of its type.

usage: json_keys.py SCHEMA FILE...              documents
       json_keys.py SCHEMA --sources DIRECTORY  the keys of columns and tables in the C files below it
"""
import json
import pathlib
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def has_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def faults(root, schema, value, path):
    """What of `value` the schema does not allow, as a list of sentences."""
    if "$ref" in schema:
        return faults(root, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], value, path)
    if "anyOf" in schema:
        found = [faults(root, choice, value, path) for choice in schema["anyOf"]]
        return [] if [] in found else min(found, key=len)
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(has_type(value, name) for name in types):
        return [f"{path} is no {' or '.join(types)}: {value!r:.80}"]
    result = []
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            result += faults(root, schema["items"], item, f"{path}[{index}]")
    if isinstance(value, dict):
        for key, item in value.items():
            known = schema.get("properties", {}).get(key)
            for pattern, other in schema.get("patternProperties", {}).items():
                known = known or (other if re.search(pattern, key) else None)
            known = known or schema.get("additionalProperties")
            if known:
                result += faults(root, known, item, f"{path}.{key}")
            else:
                result.append(f"{path}.{key} is not listed")
    return result


# {HEADING, "key", .get = ...}, {HEADING, "key", TUTTI_FIELD(...)}; .key = "key"; tutti_json_real(json, "key", ...)
KEYS = re.compile(r"""\{\s*(?:NULL|"[^"]*"|\w+),\s*"([\w.]+)",\s*(?:\.|[A-Z]\w*\()|\.key\s*=\s*"([\w.]+)"|"""
                  r"""tutti_json_\w+\(\s*&?\w+,\s*"([\w.]+)\"""")


def check_sources(properties, directory):
    """Print every key in the sources that is not listed; how many keys there are, and how many are not listed."""
    keys = {}
    for path in sorted(pathlib.Path(directory).rglob("*.[ch]")):
        if "report" in path.relative_to(directory).parts:  # pages, no JSON
            continue
        for match in KEYS.finditer(path.read_text(encoding="utf-8")):
            for key in next(group for group in match.groups() if group).split("."):
                keys.setdefault(key, path)
    missing = [key for key in keys if key not in properties]
    for key in missing:
        print(f"{keys[key]}: {key} is not listed")
    return len(keys), len(missing)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        root = json.load(file)
    if sys.argv[2] == "--sources":
        found, missing = check_sources(root["$defs"]["row"]["properties"], sys.argv[3])
        sys.exit(1 if missing or found < 100 else 0)
    bad = 0
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            value = json.load(file)
        for fault in faults(root, {"anyOf": root["anyOf"]}, value, name):
            print(fault)
            bad += 1
    sys.exit(1 if bad else 0)


main()
