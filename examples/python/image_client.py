"""Makes pictures with the service, with nothing but the standard library."""

import json
import urllib.error
import urllib.request


class Refused(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status = status
        self.code = code


def make_pictures(base_url, api_key, prompt, n=1, size="768*512"):
    """The URLs of n pictures. Raises Refused with what the service said."""
    body = {
        "model": "alpha-image-3.0-pro",
        "input": {"messages": [{"role": "user", "content": [{"text": prompt}]}]},
        "parameters": {"n": n, "size": size},
    }
    request = urllib.request.Request(
        f"{base_url}/provA/api/v1/services/aigc/multimodal-generation/generation",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            problem = json.load(error)
        raise Refused(error.code, problem["code"], problem["message"]) from None
    return [item["image"] for item in answer["output"]["choices"][0]["message"]["content"]]
