import json
import os
import struct
import unittest
import urllib.request

from image_client import Refused, make_pictures

URL = os.environ["BACKLOT_URL"]


class ImageClientTest(unittest.TestCase):
    def setUp(self):
        # A key is an account: each test has its own.
        self.key = self.id()

    def control(self, method, path, body=None):
        request = urllib.request.Request(
            f"{URL}/_backlot{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def tearDown(self):
        ends = self.control("POST", "/finish")
        left = ends["unexpectedCalls"] + ends["undeliveredCallbacks"] + ends["unusedSteps"]
        self.assertEqual(left, [], ends["timeline"])

    def test_makes_pictures(self):
        urls = make_pictures(URL, self.key, "a lighthouse", n=2)
        self.assertEqual(len(urls), 2)
        with urllib.request.urlopen(urls[0]) as picture:
            header = picture.read(24)
        self.assertEqual(struct.unpack(">II", header[16:24]), (768, 512))

    def test_a_size_that_is_too_small_is_refused(self):
        with self.assertRaises(Refused) as refused:
            make_pictures(URL, self.key, "a lighthouse", size="100*100")
        self.assertEqual(refused.exception.status, 400)
        [call] = self.control("GET", "/requests?problem=any")["items"]
        self.assertEqual(call["refusedBy"][0]["rule"], "a-image.size-area")

    def test_a_provider_that_is_away(self):
        self.control(
            "PUT",
            "/scenario",
            {
                "name": "provider-away",
                "says": "The provider is away.",
                "steps": [{"when": {"operation": "a-image.create"}, "then": {"answer": {"error": "ServiceUnavailable"}}, "required": True}],
            },
        )
        with self.assertRaises(Refused) as refused:
            make_pictures(URL, self.key, "a lighthouse")
        self.assertEqual(refused.exception.status, 503)


if __name__ == "__main__":
    unittest.main()
