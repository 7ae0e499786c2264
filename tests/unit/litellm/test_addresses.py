"""Which addresses an endpoint may lead to."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from app.litellm.addresses import AllowRuleError, AllowRules


@pytest.mark.parametrize(
    ("literal", "refusal", "why"),
    [
        ("10.96.0.10", "", "Services have private addresses"),
        ("203.0.113.9", "", "proxies outside the cluster are a use case"),
        ("fd12:3456::1", "", "clusters with IPv6 use unique local addresses"),
        ("100.64.1.1", "", "some clouds give pods shared address space"),
        ("127.0.0.1", "a loopback address", "the service's own pod"),
        ("127.8.9.10", "a loopback address", "all of 127.0.0.0/8 is"),
        ("::1", "a loopback address", "the same in IPv6"),
        ("0.0.0.0", "an unspecified address", "Linux connects to the own host"),
        ("0.1.2.3", "an unspecified address", "no host has such an address"),
        ("::", "an unspecified address", "the same in IPv6"),
        ("169.254.169.254", "a link-local address", "the metadata service of most clouds"),
        ("169.254.170.2", "a link-local address", "credentials of AWS tasks"),
        ("fe80::1", "a link-local address", "the node"),
        ("224.0.0.1", "a multicast address", "no proxy"),
        ("ff02::1", "a multicast address", "no proxy"),
        ("255.255.255.255", "a reserved address", "broadcast"),
        ("100.100.100.200", "a cloud metadata address", "Alibaba Cloud"),
        ("168.63.129.16", "a cloud metadata address", "Azure"),
        ("fd00:ec2::254", "a cloud metadata address", "AWS in IPv6"),
        ("::ffff:127.0.0.1", "an IPv4 address in IPv6 form", "a way around IPv4 rules"),
        ("::ffff:10.0.0.1", "an IPv4 address in IPv6 form", "nobody needs the form"),
        ("64:ff9b::7f00:1", "a loopback address", "NAT64 leads to 127.0.0.1"),
        ("64:ff9b::a9fe:a9fe", "a link-local address", "NAT64 leads to the metadata service"),
        ("64:ff9b::808:808", "", "NAT64 is how IPv6-only clusters reach the rest"),
        ("2002:7f00:1::", "a loopback address", "6to4 of 127.0.0.1"),
        ("::7f00:1", "a loopback address", "IPv4-compatible form of 127.0.0.1"),
    ],
)
def test_an_address_is_judged_by_what_it_leads_to(literal: str, refusal: str, why: str) -> None:
    assert AllowRules().refusal(ip_address(literal)) == refusal, why


@pytest.mark.parametrize(
    ("rule", "literal"),
    [("127.0.0.0/8", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::ffff:0:0/96", "::ffff:10.0.0.1")],
)
def test_a_network_that_is_allowed_is_not_refused(rule: str, literal: str) -> None:
    assert AllowRules.parse([rule]).refusal(ip_address(literal)) == ""


def test_an_allowed_network_allows_nothing_beside_it() -> None:
    rules = AllowRules.parse(["127.0.0.1/32"])
    assert rules.refusal(ip_address("127.0.0.2"))
    assert rules.refusal(ip_address("::1"))
    assert rules.refusal(ip_address("64:ff9b::7f00:2"))


@pytest.mark.parametrize(
    ("rule", "host", "permitted", "why"),
    [
        ("llm.example.com", "llm.example.com", True, "exactly that name"),
        ("LLM.example.com", "llm.EXAMPLE.com.", True, "case and a trailing dot make no difference"),
        ("llm.example.com", "a.llm.example.com", False, "a name is no suffix"),
        ("*.example.com", "a.b.example.com", True, "a suffix covers every level"),
        ("*.example.com", "example.com", False, "the domain itself is not below it"),
        ("*.example.com", "badexample.com", False, "the dot belongs to the suffix"),
        ("localhost", "localhost", True, "a single label is a name"),
    ],
)
def test_names_are_matched_exactly_or_by_suffix(rule: str, host: str, permitted: bool, why: str) -> None:
    assert AllowRules.parse([rule]).permits_name(host) is permitted, why


@pytest.mark.parametrize(
    "entry", ["10.0.0.0/33", "10.0.0.1/8", "litellm.*", "300.1.1.1", "10.0", "*", "*.", "a*.example.com", "http://x", "a b", ""]
)
def test_an_entry_that_is_neither_network_nor_name_is_refused_by_its_variable(entry: str) -> None:
    with pytest.raises(AllowRuleError, match="PALENA_ENDPOINT_ALLOW"):
        AllowRules.parse([entry])
