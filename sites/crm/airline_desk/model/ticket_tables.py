"""The database tables of level 3: tickets, their mail, and further facts about customers and
bookings.

Visits of other levels do not have them. `opened` and `at` are ISO times of the desk's clock.
`status` is open or closed. `outcome`, `article` and `amount` say how a ticket was closed, and
`same_as` is the ticket that it duplicates. A ticket with `arrives` comes in during the visit, after
this number of tickets was closed. A script says what a customer answers
(`operations.correspondent`); no page shows it.
"""

from __future__ import annotations

SCHEMA = """
CREATE TABLE tickets (
    number INTEGER PRIMARY KEY, customer INTEGER, subject TEXT NOT NULL, priority TEXT NOT NULL,
    opened TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open', outcome TEXT NOT NULL DEFAULT '',
    article TEXT NOT NULL DEFAULT '', amount INTEGER, same_as INTEGER,
    arrives INTEGER NOT NULL DEFAULT 0);
CREATE TABLE ticket_bookings (
    ticket INTEGER NOT NULL, reference TEXT NOT NULL, PRIMARY KEY (ticket, reference));
CREATE TABLE messages (
    number INTEGER PRIMARY KEY, ticket INTEGER NOT NULL, at TEXT NOT NULL, sender TEXT NOT NULL,
    address TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE attachments (
    number INTEGER PRIMARY KEY, ticket INTEGER NOT NULL, at TEXT NOT NULL, title TEXT NOT NULL,
    body TEXT NOT NULL);
CREATE TABLE scripts (ticket INTEGER PRIMARY KEY, script TEXT NOT NULL);
CREATE TABLE identities (customer INTEGER PRIMARY KEY, digits TEXT NOT NULL);
CREATE TABLE permissions (
    number INTEGER PRIMARY KEY, customer INTEGER NOT NULL, person TEXT NOT NULL,
    address TEXT NOT NULL, matter TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL);
CREATE TABLE terms (
    reference TEXT PRIMARY KEY, cover INTEGER NOT NULL DEFAULT 0, agency TEXT NOT NULL DEFAULT '',
    balance INTEGER NOT NULL DEFAULT 0);
CREATE TABLE coupons (
    reference TEXT NOT NULL, flight TEXT NOT NULL, date TEXT NOT NULL, state TEXT NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (reference, flight, date));
CREATE TABLE replies (
    number INTEGER PRIMARY KEY, ticket INTEGER NOT NULL, address TEXT NOT NULL,
    flight TEXT NOT NULL, day TEXT NOT NULL, time TEXT NOT NULL);
CREATE TABLE payouts (
    number INTEGER PRIMARY KEY, reference TEXT NOT NULL, kind TEXT NOT NULL,
    amount INTEGER NOT NULL);
CREATE TABLE flags (
    reference TEXT NOT NULL, line INTEGER NOT NULL, article TEXT NOT NULL, amount INTEGER NOT NULL,
    PRIMARY KEY (reference, line));
CREATE TABLE escorts (
    reference TEXT NOT NULL, passenger INTEGER NOT NULL, flight TEXT NOT NULL, date TEXT NOT NULL,
    PRIMARY KEY (reference, passenger, flight, date));
CREATE TABLE log_offers (
    id INTEGER PRIMARY KEY, ticket INTEGER NOT NULL, what TEXT NOT NULL, amount INTEGER NOT NULL,
    flights TEXT NOT NULL, answer TEXT NOT NULL);
CREATE TABLE log_messages (
    id INTEGER PRIMARY KEY, ticket INTEGER NOT NULL, sender TEXT NOT NULL, address TEXT NOT NULL,
    body TEXT NOT NULL);
"""
"""The SQL of the tables.

`log_offers` has the offers of this visit with their answers (yes, no), and `log_messages` the mail
of the visit, both in order. Each numbers its rows independently of the rest of the journal.
`identities` has the last four digits of the card by which a customer is identified. A permission
note allows another person to ask for something, from one day to another, both included. `terms`
belong to a booking: whether insurance was bought with it, which agency sold it, and the amount
charged but not paid. A flight without a coupon is open; `accepted` says that its new time was
agreed to. A payout is money for a late flight or a lost bag. A flag marks a line of a booking's
history, counted from 1: the article that was broken, and the right amount. An escort accompanies a
passenger on one flight.
"""

TICKET_TABLES = (
    *("tickets", "ticket_bookings", "messages", "attachments", "scripts", "identities"),
    *("permissions", "terms", "coupons", "replies", "payouts", "flags", "escorts"),
)
"""The names of all tables that only level 3 has, except the journal's."""

OPEN, CLOSED = "open", "closed"
PRIORITIES = ("urgent", "high", "normal", "low")
OUTCOMES = ("done", "in-part", "refused", "passed-on")
