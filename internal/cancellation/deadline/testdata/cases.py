"""Works out testdata/cases.csv: python3 cases.py > cases.csv

This is not a port of the package. What the law makes of each contract is decided here by
hand, scenario by scenario, with its source. The days are then found by trying one day after
the other, with public holidays from the countries' laws rather than from a library.
"""

import calendar
import csv
import sys
from datetime import date, timedelta

DAY = timedelta(days=1)


def easter(y):  # Butcher's algorithm
    a, b, c = y % 19, y // 100, y % 100
    d, e, f = b // 4, b % 4, (b + 8) // 25
    g = (b - f + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    return date(y, (h + m - 7 * n + 114) // 31, (h + m - 7 * n + 114) % 31 + 1)


# Fixed days (month, day), and days after Easter Sunday.
HOLIDAYS = {
    "DE": ([(1, 1), (5, 1), (10, 3), (12, 25), (12, 26)], [-2, 1, 39, 50]),
    "AT": ([(1, 1), (1, 6), (5, 1), (8, 15), (10, 26), (11, 1), (12, 8), (12, 25), (12, 26)], [1, 39, 50, 60]),
    "FR": ([(1, 1), (5, 1), (5, 8), (7, 14), (8, 15), (11, 1), (11, 11), (12, 25)], [1, 39, 50]),
    "IT": ([(1, 1), (1, 6), (4, 25), (5, 1), (6, 2), (8, 15), (11, 1), (12, 8), (12, 25), (12, 26)], [1]),
    "ES": ([(1, 1), (1, 6), (5, 1), (8, 15), (10, 12), (11, 1), (12, 6), (12, 8), (12, 25)], [-2]),
    "BE": ([(1, 1), (5, 1), (7, 21), (8, 15), (11, 1), (11, 11), (12, 25)], [1, 39, 50]),
    "PL": ([(1, 1), (1, 6), (5, 1), (5, 3), (8, 15), (11, 1), (11, 11), (12, 24), (12, 25), (12, 26)], [1, 60]),
    # Of any canton, as letters may go to each.
    "CH": ([(1, 1), (1, 2), (1, 6), (3, 19), (5, 1), (8, 1), (8, 15), (12, 8), (12, 25), (12, 26)], [-2, 1, 39, 50, 60]),
    "SE": ([(1, 1), (1, 6), (5, 1), (6, 6), (12, 24), (12, 25), (12, 26), (12, 31)], [-2, 1, 39]),
    # 5 May is one by the Algemene termijnenwet, art. 3.
    "NL": ([(1, 1), (4, 27), (5, 5), (12, 25), (12, 26)], [-2, 1, 39, 50]),
    "PT": ([], []),
}


def working(d, country):
    fixed, moving = HOLIDAYS[country]
    return d.weekday() < 5 and (d.month, d.day) not in fixed and (d - easter(d.year)).days not in moving


def clip(y, m, d):
    """The day with this number in a month, or the month's last."""
    y, m = y + (m - 1) // 12, (m - 1) % 12 + 1
    return date(y, m, min(d, calendar.monthrange(y, m)[1]))


def term(start, months):
    """The day before the one with the number of the start (BGB 188 II, alternative 2)."""
    if start.day == 1:
        return clip(start.year, start.month + months, 1) - DAY
    return clip(start.year, start.month + months, start.day - 1)


def notice_end(arrival, notice, country):
    """The day with the number of the arrival (BGB 188 II, alternative 1)."""
    n, unit = notice
    if unit == "M":
        return clip(arrival.year, arrival.month + n, arrival.day)
    if unit == "WD":
        while n:
            arrival += DAY
            n -= working(arrival, country)
        return arrival
    return arrival + n * DAY


LEAD = {"Email": 1, "Fax": 1, "Mail": 5, "RegisteredMail": 6}


def arrival(sent, channel, country):
    while not working(sent, country):
        sent += DAY
    for _ in range(LEAD[channel]):
        sent += DAY
        while not working(sent, country):
            sent += DAY
    return sent


def day(s):
    return date.fromisoformat(s)


# A way is (is this day a possible end?, the first one, the notice), and perhaps COSTS if it may
# cost something, or UNSURE if its statute is not confirmed. The notice may be a function from
# the day of the arrival to the last day of the period.
COSTS, UNSURE = "costs", "unsure"


def noticed(arrival, notice, country):
    return notice(arrival) if callable(notice) else notice_end(arrival, notice, country)


def terms_of(start, first, renewal):
    ends = {term(start, first + k * renewal) for k in range(140)}
    return lambda d: d in ends and d >= start


def any_day(d):
    return True


def calendar_end(months):
    return lambda d: (d + DAY).day == 1 and d.month % months == 0


def contract_end(start, months):
    ends = {term(start, months * k) for k in range(1, 200)}
    return lambda d: d in ends


def earliest(ways, sent, channel, country):
    a = arrival(sent, channel, country)
    if not ways:
        return None
    end = min(sent, min(w[1] for w in ways)) - DAY
    for _ in range(9000):
        end += DAY
        for possible, first, notice, *_ in ways:
            if end >= first and possible(end) and noticed(a, notice, country) <= end:
                return end
    return None


def send_by(ways, end, channel, country):
    sent = end + DAY
    while True:
        sent -= DAY
        if not working(sent, country):
            continue
        a = arrival(sent, channel, country)
        for possible, first, notice, *_ in ways:
            if end >= first and possible(end) and noticed(a, notice, country) <= end:
                return sent


# A cancellation of these can leave a household without supply, so the new supplier does it.
SUPPLY = ("Energy", "EnergyBasicSupply", "Water")

ROWS = []
FIELDS = ("law recipient sector minimum notice renewal renewalTerm endOf start cancelledOn facts channel "
          "end free sendBy next by form certain missing why")


def case(law, sector, terms, start, cancelled, ways, why, channel="Email", facts="", recipient=None, by=None, form="",
         alone=None, missing=""):
    """alone is the day on which the contract ends by itself, by the channel that counts."""
    recipient, by = recipient or law, by or channel
    if sector in SUPPLY:
        form = "NewProvider"
    minimum, notice, renewal, renewal_term, end_of = terms
    sent = day(cancelled)
    free = [w for w in ways if COSTS not in w]
    sure = [w for w in free if UNSURE not in w]
    end, free_end = earliest(ways, sent, by, recipient), earliest(free, sent, by, recipient)
    last = following = certain = None
    if alone and (not free_end or alone <= free_end):
        free_end = alone
        end = min(end or alone, alone)
        why += " It ends by itself."
    else:
        last = send_by(free, free_end, by, recipient)
        following = earliest(free, last + DAY, by, recipient)
        if alone:
            following = min(following or alone, alone)
        a = arrival(last, by, recipient)
        why += f" Sent on {last} it arrives on {a} ({LEAD[by]} working days); the end after that is {following}."
        if len(sure) < len(free):
            certain = earliest(sure, sent, by, recipient)
            other = send_by(sure, certain, by, recipient)
            if (certain, other) == (free_end, last):
                certain = None
            else:
                why += f" The law is not confirmed; by the contract it is {certain}, sent by {other}."
                last = min(last, other)
    ROWS.append([law, recipient, sector, minimum, notice, renewal, renewal_term, end_of, start, cancelled, facts, channel,
                 end, free_end, last, following, by if last else "", form, certain, missing, why])


M = lambda n: (n, "M")
D = lambda n: (n, "D")

# --- Contract alone: no statute of the country speaks about it. -------------------------

FIXED = "Fixed terms, counted from the start (BGB 187 II, 188 II, III): "
for start, cancelled in [
    ("2024-01-31", "2024-02-05"),  # a contract of the 31st
    ("2024-01-31", "2025-01-02"),
    ("2024-01-30", "2025-02-03"),
    ("2024-02-29", "2025-01-15"),  # of the leap day
    ("2024-02-29", "2027-12-20"),
    ("2023-02-28", "2024-01-10"),
    ("2024-03-01", "2025-01-10"),  # ends with February
    ("2023-03-01", "2024-01-10"),  # ends with a leap February
    ("2025-12-15", "2026-11-03"),
    ("2025-07-01", "2026-05-04"),
    ("2026-11-23", "2026-11-23"),  # cancelled on its first day
    ("2027-01-01", "2026-11-23"),  # and before it
]:
    s = day(start)
    case("CH", "Services", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), s, M(1))],
         f"{FIXED}first term until {term(s, 12)}, then years of the contract. Swiss law has no rule for it. Notice one month.")
for start, cancelled in [("2026-01-31", "2026-02-10"), ("2026-01-30", "2026-02-10"), ("2026-03-31", "2026-06-01"),
                         ("2026-08-31", "2026-09-01"), ("2024-02-29", "2025-02-03"), ("2026-05-15", "2026-10-16")]:
    s = day(start)
    case("GB", "Services", ("", "P3D", "Fixed", "P1M", ""), start, cancelled, [(terms_of(s, 0, 1), s, D(3))],
         "Paid by the month, without a first term; each month of the contract ends on the day before its start's number. "
         "Three days' notice.", recipient="PT", facts="")
for start, cancelled in [("2026-02-02", "2026-03-02"), ("2026-02-02", "2026-11-02"), ("2025-12-29", "2026-12-21")]:
    s = day(start)
    ends = {s + timedelta(days=28 * k - 1) for k in range(1, 400)}
    case("IE", "Goods", ("P4W", "P1W", "Fixed", "P4W", ""), start, cancelled,
         [(lambda d, ends=ends: d in ends, s, D(7))],
         "Terms of exactly 28 days. A week's notice.", recipient="PT")
for start, cancelled in [("2026-01-17", "2026-01-19"), ("2026-01-17", "2026-03-02")]:
    s = day(start)
    ends = {term(s, 1) + timedelta(days=28 * k) for k in range(400)}
    case("IE", "Goods", ("P1M", "P1D", "Fixed", "P4W", ""), start, cancelled,
         [(lambda d, ends=ends: d in ends, term(s, 1), D(1))],
         "A month first, then terms of exactly 28 days, counted from its end. A day's notice.", recipient="PT")
for cancelled, notice in [("2026-01-15", M(1)), ("2026-01-29", M(1)), ("2026-01-30", M(1)), ("2026-02-27", M(1)),
                          ("2026-03-30", M(3)), ("2026-11-27", M(3)), ("2027-11-29", M(3)), ("2026-12-30", D(14)),
                          ("2026-06-12", D(30)), ("2028-01-28", M(1))]:
    p = f"P{notice[0]}{notice[1]}"
    case("CH", "Services", ("", p, "Open", "", "Day"), "2020-01-01", cancelled, [(any_day, day("2020-01-01"), notice)],
         f"Open-ended, any day; {p} from the arrival, to the day with its number or the month's last.", recipient="PT")
for end_of, months in [("Month", 1), ("Quarter", 3), ("HalfYear", 6), ("CalendarYear", 12)]:
    for cancelled in ["2026-02-26", "2026-05-28", "2026-09-29", "2026-11-26", "2027-12-30"]:
        case("CH", "Services", ("", "P1M", "Open", "", end_of), "2020-05-10", cancelled,
             [(calendar_end(months), day("2020-05-10"), M(1))],
             f"Open-ended, to the end of a calendar period of {months} months, notice one month.")
for start, cancelled in [("2026-06-15", "2026-07-01"), ("2026-06-15", "2026-11-23"), ("2025-06-15", "2026-09-29"),
                         ("2025-12-31", "2026-09-29")]:
    s = day(start)
    first = date(term(s, 12).year, 12, 31)
    case("GB", "Association", ("P12M", "P3M", "Open", "", "CalendarYear"), start, cancelled,
         [(calendar_end(12), first, M(3))],
         f"A year at least, then to the end of a calendar year: first on {first}. Three months' notice.", recipient="PT")
for start, cancelled in [("2025-06-15", "2026-03-10"), ("2025-06-15", "2026-03-16"), ("2025-08-31", "2026-01-20")]:
    s = day(start)
    case("GB", "Services", ("", "P1M", "Open", "", "ContractMonth"), start, cancelled, [(contract_end(s, 1), s, M(1))],
         "Open-ended, to the end of a month of the contract.", recipient="PT")
    case("GB", "Services", ("", "P2M", "Open", "", "ContractYear"), start, cancelled, [(contract_end(s, 12), s, M(2))],
         "Open-ended, to the end of a year of the contract.", recipient="PT")

# --- Working days and lead times ------------------------------------------------------

for law, cancelled, why in [
    ("DE", "2026-04-02", "The day before Good Friday: the mail counts on the Tuesday after Easter (FTG of the states; BGH VII ZR 895/21)."),
    ("DE", "2026-12-24", "Before Christmas: 25 and 26 December are holidays, then a week-end."),
    ("DE", "2026-10-02", "Before the Day of German Unity on a Saturday (EinigVtr art. 2)."),
    ("AT", "2026-10-23", "Before 26 October, a Monday (ARG 7)."),
    ("AT", "2026-12-07", "Before 8 December (ARG 7)."),
    ("FR", "2026-07-13", "Before 14 July (Code du travail L3133-1)."),
    ("FR", "2026-11-10", "Before 11 November (Code du travail L3133-1)."),
    ("IT", "2026-06-01", "Before 2 June (L. 260/1949)."),
    ("IT", "2026-04-24", "Before 25 April, a Saturday (L. 260/1949)."),
    ("ES", "2026-10-09", "Before 12 October, a Monday (RD 2001/1983, art. 45)."),
    ("ES", "2026-12-07", "Before 8 December (RD 2001/1983, art. 45)."),
    ("BE", "2026-07-20", "Before 21 July (KB/AR 18.4.1974)."),
    ("BE", "2026-11-10", "Before 11 November (KB/AR 18.4.1974)."),
    ("PL", "2026-11-10", "Before 11 November (act of 18.1.1951)."),
    ("PL", "2026-12-23", "Before Christmas Eve, a holiday since 2025, and a long week-end."),
    ("CH", "2026-07-31", "Before 1 August, a Saturday (BV 110)."),
    ("CH", "2026-03-18", "Before St Joseph's Day, which some cantons keep."),
    ("SE", "2026-01-05", "Before Epiphany (lag 1989:253)."),
    ("SE", "2026-12-23", "Before Christmas Eve, which is treated as a holiday."),
    ("NL", "2026-04-24", "Before King's Day, a Monday in 2026."),
]:
    for channel in ["Email", "Mail"]:
        sector = "Association" if law == "DE" else "Party"  # no statute asks for less than six weeks
        case(law, sector, ("", "P6W", "Open", "", "Day"), "2020-01-01", cancelled,
             [(any_day, day("2020-01-01"), D(42))],
             "Open-ended, any day, six weeks' notice. " + why, channel=channel)
for channel in ["Email", "Fax", "Mail", "RegisteredMail"]:
    for cancelled, recipient in [("2026-05-22", "DE"), ("2026-12-18", "AT"), ("2026-03-27", "FR"), ("2026-05-12", "BE")]:
        case("GB", "Services", ("", "P1M", "Open", "", "Month"), "2020-01-01", cancelled,
             [(calendar_end(1), day("2020-01-01"), M(1))],
             f"A British contract whose recipient is in {recipient}: its holidays count.", channel=channel, recipient=recipient)

# --- Germany -----------------------------------------------------------------------------

NR9 = "BGB 309 Nr. 9 as of 1 March 2022: at most two years; one month's notice to their end; then any day with at most one month. "
for start, cancelled, channel in [
    ("2022-03-01", "2023-10-02", "Email"),  # the first day of the new law
    ("2024-05-15", "2026-03-02", "Email"),
    ("2024-05-15", "2026-04-13", "Email"),
    ("2024-05-15", "2026-04-14", "Email"),  # a day late for the first term
    ("2024-05-15", "2026-11-23", "Email"),
    ("2024-05-15", "2026-11-23", "Mail"),
    ("2024-12-31", "2026-11-27", "Email"),
    ("2023-01-31", "2025-02-26", "RegisteredMail"),
    ("2024-02-29", "2025-12-24", "Email"),
]:
    s = day(start)
    m1 = term(s, 24)
    case("DE", "Services", ("P24M", "P3M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 24, 12), m1, M(1)), (any_day, m1 + DAY, M(1))], NR9 + f"The first term ends on {m1}.", channel=channel)
OLD = "BGB 309 Nr. 9 until 28 February 2022 (EGBGB 229 § 60): renewals of at most a year, notice of at most three months. "
for start, cancelled in [("2022-02-28", "2023-10-02"), ("2022-02-28", "2023-12-05"), ("2020-06-10", "2026-02-10"),
                         ("2020-06-10", "2026-03-11"), ("2019-08-31", "2026-05-20")]:
    s = day(start)
    case("DE", "Services", ("P24M", "P6M", "Fixed", "P24M", ""), start, cancelled,
         [(terms_of(s, 24, 12), term(s, 24), M(3))], OLD + "Six months and two years were agreed.")
s = day("2022-03-20")
case("DE", "Services", ("P24M", "P3M", "Fixed", "P12M", ""), "2022-03-20", "2026-11-23",
     [(terms_of(s, 24, 12), term(s, 24), M(3))], OLD + "It began after that day but was signed before it.",
     facts="concludedOn=2022-02-20")
case("DE", "Services", ("P36M", "P3M", "Fixed", "P12M", ""), "2024-01-01", "2026-05-04",
     [(terms_of(day("2024-01-01"), 36, 12), term(day("2024-01-01"), 36), M(3))],
     "BGB 310 I: Nr. 9 does not protect a business, so that the contract stands.", facts="customer=Business")
case("DE", "Services", ("P36M", "P3M", "Fixed", "P12M", ""), "2024-01-01", "2025-05-05",
     [(terms_of(day("2024-01-01"), 24, 12), term(day("2024-01-01"), 24), M(1)), (any_day, date(2026, 1, 1), M(1))],
     NR9 + "Three years were agreed: two bind.")
TKG = "TKG 56: at most 24 months, then any day with one month's notice, for businesses too. "
for start, cancelled, facts, notice in [
    ("2020-04-01", "2026-11-23", "", 3), ("2020-04-01", "2021-12-01", "", 3), ("2025-01-15", "2026-12-11", "", 1),
    ("2023-10-01", "2026-11-20", "customer=Business", 3),
]:
    s = day(start)
    m1 = term(s, 24)
    case("DE", "Telecom", ("P24M", "P3M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 24, 12), m1, M(notice)), (any_day, m1 + DAY, M(1))], TKG + f"The first term ends on {m1}.", facts=facts)
case("DE", "Telecom", ("P24M", "P3M", "Fixed", "P12M", ""), "2019-04-01", "2021-11-30",
     [(terms_of(day("2019-04-01"), 24, 12), term(day("2019-04-01"), 24), M(3))],
     "The day before TKG 56 came into force: the old contract stands (BGB 309 Nr. 9 old).")
VVG = "VVG 11 I, III: an insurance renews for at most a year, with at most three months' notice. "
for start, cancelled, sector in [("2024-07-01", "2026-03-26", "HomeInsurance"), ("2024-07-01", "2026-04-01", "HomeInsurance"),
                                 ("2020-02-29", "2026-11-12", "Insurance")]:
    s = day(start)
    case("DE", sector, ("P12M", "P6M", "Fixed", "P24M", ""), start, cancelled,
         [(terms_of(s, 12, 12), term(s, 12), M(3))], VVG + "Six months and two years were agreed.")
for cancelled in ["2026-10-30", "2026-11-27", "2026-11-30", "2026-12-01"]:
    case("DE", "MotorInsurance", ("P12M", "P1M", "Fixed", "P12M", "CalendarYear"), "2023-04-01", cancelled,
         [(calendar_end(12), date(2024, 12, 31), M(1))],
         "A motor insurance to the end of the year with one month: it must arrive on 30 November (AKB G.2.1).", form="Written")
for start, cancelled in [("2023-04-01", "2027-02-26"), ("2023-04-15", "2027-03-12")]:
    s = day(start)
    case("DE", "MotorInsurance", ("P12M", "P3M", "Fixed", "P12M", ""), start, cancelled, [(terms_of(s, 12, 12), term(s, 12), M(1))],
         "PflVG 5a I: a motor insurance renews unless it is cancelled a month before. Three were agreed.", form="Written")
case("DE", "Insurance", ("P60M", "P3M", "Fixed", "P12M", ""), "2022-05-01", "2025-01-10",
     [(terms_of(day("2022-05-01"), 60, 12), term(day("2022-05-01"), 60), M(3)),
      (contract_end(day("2022-05-01"), 12), date(2025, 4, 30), M(3))],
     "VVG 11 IV: five years were agreed, but it can end with the third and each further year, three months' notice.")
for cancelled in ["2026-11-23", "2026-12-24", "2027-02-26"]:
    case("DE", "EnergyBasicSupply", ("", "P1M", "Open", "", "Month"), "2021-01-01", cancelled,
         [(calendar_end(1), day("2021-01-01"), M(1)), (any_day, day("2021-01-01"), D(14))],
         "StromGVV 20 I: two weeks, any day.")
case("DE", "Association", ("", "P36M", "Open", "", "CalendarYear"), "2015-01-01", "2026-11-23",
     [(any_day, day("2015-01-01"), M(24))],
     "BGB 39 II: two years' notice at most, to which a fixed day may add nothing. Three to the end of a year were agreed.")
case("DE", "Association", ("", "P3M", "Open", "", "CalendarYear"), "2015-01-01", "2026-11-23",
     [(calendar_end(12), day("2015-01-01"), M(3))], "BGB 39 II allows three months to the end of a year.")

# --- Austria -----------------------------------------------------------------------------

KSCHG = "KSchG 15 I: two months to the end of the first year, then of each half-year. "
for start, cancelled in [("2025-09-10", "2026-03-02"), ("2025-09-10", "2026-07-08"), ("2025-09-10", "2026-07-09"),
                         ("2024-08-31", "2026-06-22")]:
    s = day(start)
    case("AT", "Goods", ("P36M", "P3M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 36, 12), term(s, 36), M(3)), (contract_end(s, 6), term(s, 12), M(2))],
         KSCHG + "Three years were agreed.")
s = day("2025-09-10")
case("AT", "Press", ("", "P3M", "Open", "", "CalendarYear"), "2025-09-10", "2026-03-02",
     [(calendar_end(12), s, M(3)), (contract_end(s, 6), term(s, 12), M(2))], KSCHG + "It is open-ended.")
case("AT", "Goods", ("P12M", "P1M", "Fixed", "P12M", ""), "2025-09-10", "2026-09-28",
     [(terms_of(s, 12, 12), term(s, 12), M(1))], "KSchG 15 needs more than a year or an open end; this has a year.")
for start, cancelled in [("2023-02-01", "2026-11-23"), ("2025-06-15", "2026-11-23"), ("2021-11-01", "2023-09-27")]:
    s = day(start)
    m1 = term(s, 24)
    case("AT", "Telecom", ("P24M", "P3M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 24, 12), m1, M(1)), (any_day, m1 + DAY, M(1))],
         f"TKG 2021 135 I, V: 24 months bind (until {m1}), then one month's notice.")
for start, cancelled in [("2021-10-31", "2023-10-20"), ("2021-10-31", "2023-10-02"), ("2016-02-26", "2026-03-30")]:
    s = day(start)
    m1 = term(s, 24)
    case("AT", "Telecom", ("P24M", "P3M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 24, 12), m1, M(3)), (calendar_end(1), m1 + DAY, M(1))],
         f"TKG 2003 25d I, III (concluded from 2016-02-26 to 2021-10-31): 24 months bind (until {m1}), then a month's notice, "
         "to the end of the month after the one of the notice.")
case("AT", "Telecom", ("P24M", "P3M", "Fixed", "P12M", ""), "2016-02-25", "2026-03-30",
     [(terms_of(day("2016-02-25"), 24, 12), term(day("2016-02-25"), 24), M(3))],
     "Concluded a day before TKG 2003 25d asked for a month: the contract stands.")
ELWG = "ElWG 24: a household is bound for a year at most, and then cancels with two weeks' notice. "
for start, cancelled in [("2025-06-10", "2026-03-02"), ("2025-06-10", "2026-11-23"), ("2025-06-10", "2025-12-24")]:
    s = day(start)
    m1 = term(s, 12)
    case("AT", "Energy", ("P24M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), m1, D(14)), (any_day, m1 + DAY, D(14))], ELWG + f"Two years were agreed; one ends on {m1}.")
case("AT", "Energy", ("", "P1M", "Open", "", "Month"), "2022-01-01", "2026-11-23",
     [(any_day, day("2022-01-01"), D(14))], ELWG + "It is open-ended.")
s = day("2024-12-20")
case("AT", "Energy", ("P24M", "P1M", "Fixed", "P12M", ""), "2024-12-20", "2025-12-23",
     [(terms_of(s, 24, 12), term(s, 24), M(1)), (contract_end(s, 6), term(s, 12), M(2))],
     "The day before the ElWG came into force: " + KSCHG)
case("AT", "HomeInsurance", ("P12M", "P3M", "Fixed", "P3Y", ""), "2023-05-01", "2026-03-02",
     [(terms_of(day("2023-05-01"), 12, 12), term(day("2023-05-01"), 12), M(3))],
     "VersVG 8 I: it renews for at most a year; three were agreed.")
for facts, ways in [("", 1), ("customer=Business", 0)]:
    s = day("2021-05-01")
    all_ways = [(terms_of(s, 120, 12), term(s, 120), M(3)), (contract_end(s, 12), term(s, 36), M(1), COSTS)]
    case("AT", "Insurance", ("P10Y", "P3M", "Fixed", "P12M", ""), "2021-05-01", "2026-03-02", all_ways[:1 + ways],
         "VersVG 8 III: a consumer's contract of ten years can end with the third and each further year, one month's notice; "
         "a discount for the ten years may be reclaimed.",
         facts=facts)

# --- Switzerland --------------------------------------------------------------------------

for cancelled in ["2026-01-12", "2026-06-12"]:
    s = day("2022-10-01")
    case("CH", "HomeInsurance", ("P60M", "P3M", "Fixed", "P12M", ""), "2022-10-01", cancelled,
         [(terms_of(s, 60, 12), term(s, 60), M(3)), (contract_end(s, 12), term(s, 36), M(3))],
         "VVG 35a: five years were agreed; it can end with the third and each further year, three months' notice.")
case("CH", "HomeInsurance", ("P60M", "P3M", "Fixed", "P12M", ""), "2017-10-01", "2021-12-31",
     [(terms_of(day("2017-10-01"), 60, 12), term(day("2017-10-01"), 60), M(3))],
     "The day before VVG 35a came into force.")
for cancelled in ["2026-06-26", "2026-06-30", "2026-11-23"]:
    case("CH", "Association", ("", "P12M", "Open", "", "CalendarYear"), "2018-03-01", cancelled,
         [(calendar_end(12), day("2018-03-01"), M(6))],
         "ZGB 70 II: half a year to the end of the calendar year; the articles ask for twelve months.")

# --- France -------------------------------------------------------------------------------

s = day("2024-06-10")
L215 = "Code de la consommation L215-1: without a timely reminder, any day from the renewal on, without notice. "
case("FR", "Services", ("P12M", "P2M", "Fixed", "P12M", ""), "2024-06-10", "2026-11-23",
     [(terms_of(s, 12, 12), term(s, 12), M(2)), (any_day, day("2025-06-10"), D(0))], L215, facts="renewalReminder=NotSent")
case("FR", "Services", ("P12M", "P2M", "Fixed", "P12M", ""), "2024-06-10", "2026-11-23",
     [(terms_of(s, 12, 12), term(s, 12), M(2))], L215 + "There was a reminder.", facts="renewalReminder=Sent")
case("FR", "Services", ("P12M", "P2M", "Fixed", "P12M", ""), "2024-06-10", "2026-03-02",
     [(terms_of(s, 12, 12), term(s, 12), M(2))], L215 + "It does not protect a business.",
     facts="renewalReminder=NotSent customer=Business")
for sector in ["Goods", "Press"]:
    case("FR", sector, ("P12M", "P2M", "Fixed", "P12M", ""), "2024-06-10", "2026-11-23",
         [(terms_of(s, 12, 12), term(s, 12), M(2))], L215 + "It is about services only.", facts="renewalReminder=NotSent")
for start, cancelled in [("2024-06-10", "2026-11-23"), ("2026-02-10", "2026-11-23"), ("2025-11-30", "2026-11-30"),
                         ("2024-02-29", "2025-01-31")]:
    s = day(start)
    opened = term(s, 12) + DAY
    while not working(opened, "FR"):
        opened += DAY
    case("FR", "MotorInsurance", ("P12M", "P2M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), term(s, 12), M(2)), (any_day, notice_end(opened, M(1), "FR"), M(1))],
         "Code des assurances L113-15-2 (Hamon): after the first year any day, a month after the notice of the new insurer arrived.",
         form="" if start == "2026-02-10" else "NewProvider")  # whose first year can still end by the user's own letter
for start, cancelled in [("2022-04-15", "2026-02-12"), ("2022-04-15", "2026-02-16")]:
    s = day(start)
    case("FR", "Insurance", ("P12M", "P4M", "Fixed", "P12M", ""), start, cancelled,
         [(contract_end(s, 12), term(s, 12), M(2))],
         "Code des assurances L113-12: each year with two months' notice, although four were agreed.")
s = day("2024-04-15")
for facts, ways in [("", 2), ("customer=Business", 1)]:
    case("FR", "Insurance", ("P36M", "P4M", "Fixed", "P12M", ""), "2024-04-15", "2026-02-12",
         [(terms_of(s, 36, 12), term(s, 36), M(4)), (contract_end(s, 12), term(s, 12), M(2))][:ways],
         "Code des assurances L113-12: contracts for businesses may leave it out.", facts=facts)
s = day("2024-03-01")
case("FR", "HealthInsurance", ("P24M", "P2M", "Fixed", "P12M", ""), "2024-03-01", "2024-11-25",
     [(terms_of(s, 24, 12), term(s, 24), M(2)), (any_day, date(2025, 4, 3), M(1))],
     "Health insurance may leave out L113-12; L113-15-2 opens after a year, on Monday 3 March 2025.")
for start, cancelled in [("2025-03-01", "2026-11-23"), ("2026-03-01", "2026-11-23")]:
    s = day(start)
    case("FR", "Energy", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), term(s, 12), M(1)), (any_day, s, D(0))],
         "Code de la consommation L224-14: on the day that the consumer asks for.")
for start, cancelled in [("2024-04-20", "2026-11-23"), ("2025-12-20", "2026-11-23")]:
    s = day(start)
    opened = term(s, 12) + DAY
    while not working(opened, "FR"):
        opened += DAY
    case("FR", "Telecom", ("P12M", "P2M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), term(s, 12), D(10)), (any_day, opened + timedelta(days=10), D(10))],
         "Code de la consommation L224-39 and L224-40: from the renewal on any day, with at most ten days.")

for start, cancelled in [("2025-06-10", "2026-03-02"), ("2025-06-10", "2026-11-23"), ("2023-01-01", "2023-11-27")]:
    s = day(start)
    opened = term(s, 12) + DAY
    while not working(opened, "FR"):
        opened += DAY
    opened2 = term(s, 24) + DAY
    while not working(opened2, "FR"):
        opened2 += DAY
    case("FR", "Telecom", ("P36M", "P2M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 24, 12), term(s, 24), D(10)), (any_day, opened + timedelta(days=10), D(10), COSTS),
          (any_day, opened2 + timedelta(days=10), D(10))],
         "Code de la consommation L224-28: 24 months bind at most, and can end early after twelve. Three years were agreed.")
s = day("2023-01-10")
opened = date(2025, 1, 10)
case("FR", "Telecom", ("P24M", "P2M", "Fixed", "P12M", ""), "2023-01-10", "2024-02-05",
     [(terms_of(s, 24, 12), term(s, 24), D(10)), (any_day, opened + timedelta(days=10), D(10))],
     "Concluded a day before L224-28 in its version of 2023: 24 months bind.", facts="concludedOn=2022-12-31")

# --- Italy, Spain, Netherlands, Belgium, Poland, Sweden -------------------------------------

for start, cancelled in [("2026-09-01", "2026-11-23"), ("2020-09-01", "2026-04-03"), ("2026-01-31", "2026-12-23")]:
    s = day(start)
    case("IT", "Telecom", ("P24M", "P60D", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 24, 12), term(s, 24), D(60)), (any_day, s, D(30), COSTS), (any_day, term(s, 24) + DAY, D(30), UNSURE)],
         "D.L. 7/2007 art. 1 c. 3 (Bersani): any day, at most thirty days.")
case("IT", "Television", ("P12M", "P15D", "Fixed", "P12M", ""), "2026-03-01", "2026-11-23",
     [(terms_of(day("2026-03-01"), 12, 12), term(day("2026-03-01"), 12), D(15)), (any_day, day("2026-03-01"), D(15), COSTS)],
     "D.L. 7/2007: at most thirty days, and the contract asks for fifteen.")
case("IT", "HomeInsurance", ("P12M", "P60D", "Fixed", "P3Y", ""), "2021-05-10", "2026-11-23",
     [(terms_of(day("2021-05-10"), 12, 24), term(day("2021-05-10"), 12), D(60))],
     "c.c. 1899: renewals of at most two years; three were agreed.")
case("IT", "Insurance", ("P10Y", "P60D", "Fixed", "P1Y", ""), "2019-05-10", "2026-11-23",
     [(terms_of(day("2019-05-10"), 120, 12), term(day("2019-05-10"), 120), D(60)),
      (contract_end(day("2019-05-10"), 12), term(day("2019-05-10"), 72), D(60))],
     "c.c. 1899: after five years, to the end of the year in which the notice falls, sixty days.")
for start, flags, ways in [("2009-08-16", (), 2), ("2009-08-15", (UNSURE,), 2), ("2009-08-14", (), 1)]:
    s = day(start)
    case("IT", "Insurance", ("P10Y", "P60D", "Fixed", "P1Y", ""), start, "2015-10-05",
         [(terms_of(s, 120, 12), term(s, 120), D(60)), (contract_end(s, 12), term(s, 72), D(60), *flags)][:ways],
         "c.c. 1899 in the version of 2009 is for contracts concluded after 15 August 2009 (L. 99/2009 art. 21 c. 4).")
for start, cancelled in [("2026-09-01", "2026-11-23"), ("2024-09-01", "2026-12-04")]:
    s = day(start)
    a = arrival(day(cancelled), "Email", "ES")
    case("ES", "Telecom", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), term(s, 12), M(1)), (any_day, s, (2, "WD"), COSTS), (any_day, term(s, 12) + DAY, (2, "WD"))],
         "RD 899/2009 art. 7: two working days, any day, whatever a first term then costs.")
for start, cancelled in [("2023-03-15", "2026-02-12"), ("2023-03-15", "2026-02-16")]:
    s = day(start)
    case("ES", "HomeInsurance", ("P12M", "P2M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), term(s, 12), M(1))], "Ley 50/1980 art. 22: one month's notice; two were agreed.")
for start, cancelled, sector in [("2024-10-01", "2026-11-23", "Services"), ("2026-01-15", "2026-11-23", "Energy"),
                                 ("2024-10-01", "2026-04-24", "Goods")]:
    s = day(start)
    m1 = term(s, 12)
    case("NL", sector, ("P12M", "P2M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), m1, M(2)), (any_day, m1 + DAY, M(1))]
         + ([(any_day, s, D(30), COSTS), (any_day, m1, D(30))] if sector == "Energy" else []),
         f"BW 6:236 j (Wet Van Dam): after the first term (until {m1}) any day with at most a month.")
case("NL", "Press", ("P12M", "P1M", "Fixed", "P3M", ""), "2024-10-01", "2026-11-23",
     [(terms_of(day("2024-10-01"), 12, 3), term(day("2024-10-01"), 12), M(1))],
     "BW 6:236 j leaves out newspapers and magazines.")
for start, cancelled in [("2024-03-10", "2026-11-23"), ("2026-01-10", "2026-11-23")]:
    s = day(start)
    opened = term(s, 12) + DAY
    while not working(opened, "BE"):
        opened += DAY
    case("BE", "Services", ("P12M", "P3M", "Fixed", "P12M", ""), start, cancelled,
         [(terms_of(s, 12, 12), term(s, 12), M(3)), (any_day, notice_end(opened, M(2), "BE"), M(2))],
         "WER VI.91: once renewed, any day with at most two months.")
case("BE", "Telecom", ("P24M", "P1M", "Fixed", "P12M", ""), "2026-03-10", "2026-11-23",
     [(terms_of(day("2026-03-10"), 24, 12), term(day("2026-03-10"), 24), M(1)), (any_day, day("2026-03-10"), D(0), COSTS),
      (any_day, term(day("2026-03-10"), 6), D(0))],
     "Act of 13 June 2005, 111/3: at the moment that the subscriber chooses.")
for cancelled in ["2026-11-23", "2027-03-09"]:
    case("PL", "MotorInsurance", ("P12M", "P30D", "Fixed", "P12M", ""), "2024-03-12", cancelled,
         [(terms_of(day("2024-03-12"), 12, 12), term(day("2024-03-12"), 12), D(1))],
         "Compulsory insurance act, 28: a day before the twelve months end.", form="Written")
for cancelled in ["2026-01-15", "2026-01-29", "2026-01-30", "2026-11-30"]:
    case("PL", "Energy", ("", "P3M", "Open", "", "Month"), "2022-01-01", cancelled,
         [(calendar_end(1), day("2022-01-01"), M(3)), (calendar_end(1), day("2022-01-01"), M(1))],
         "Energy act 4j IV: the last day of the month after the one in which the notice arrived.")
for facts, ways in [("renewalReminder=NotSent", 2), ("renewalReminder=Sent", 1)]:
    s = day("2025-02-01")
    opened = day("2026-02-02")  # the 1st is a Sunday
    case("SE", "Services", ("P12M", "P1M", "Fixed", "P12M", ""), "2025-02-01", "2026-11-23",
         [(terms_of(s, 12, 12), term(s, 12), M(1)), (any_day, opened, D(0))][:ways],
         "Lag 2014:1449, 3 §: without a reminder it can be ended at once.", facts=facts)
s = day("2025-02-01")
case("SE", "Services", ("P12M", "P1M", "Fixed", "P3M", ""), "2025-02-01", "2026-11-10",
     [(terms_of(s, 12, 3), term(s, 12), M(1))],
     "Lag 2014:1449, 1 §: not where it can be ended within three months.", facts="renewalReminder=NotSent")
for renewal, cancelled in [("2026-05-20", "2026-11-23"), ("2025-05-20", "2026-11-23")]:
    s = day(renewal)
    case("GB", "Services", ("P12M", "P1M", "Fixed", "P12M", ""), "2019-01-31", cancelled,
         [(terms_of(s, 0, 12), s, M(1))], "The user knows the last renewal: terms are counted from it.",
         facts="lastRenewal=" + renewal, recipient="PT")

# --- Where countries differ ---------------------------------------------------------------------
# Read with the review of the law: the numbers are those of its cases.

CONTRACT_12 = ("P12M", "P2M", "Fixed", "P12M", "")


def fixed(s, first, renewal, notice):
    return (terms_of(s, first, renewal), term(s, first), notice)


def once(d, notice):
    return (lambda e: e == d, d, notice)


# Germany: district heating, AVBFernwärmeV 32 I (case 1).
HEAT = "AVBFernwärmeV 32 I: at most ten years, renewed by five, nine months' notice. "
for start, cancelled in [("2024-03-01", "2026-11-23"), ("2012-03-01", "2026-03-02"), ("2012-03-01", "2026-06-01"),
                         ("2017-07-15", "2026-10-13"), ("2017-07-15", "2026-10-14")]:
    s = day(start)
    case("DE", "Heat", ("P10Y", "P9M", "Fixed", "P5Y", ""), start, cancelled, [fixed(s, 120, 60, M(9))],
         HEAT + "BGB 309 Nr. 9 does not cut it to two years.")
s = day("2020-01-01")
case("DE", "Heat", ("P15Y", "P12M", "Fixed", "P10Y", ""), "2020-01-01", "2026-11-23", [fixed(s, 120, 60, M(9))],
     HEAT + "Fifteen years, twelve months and ten years were agreed.")
case("DE", "Heat", ("P15Y", "P12M", "Fixed", "P10Y", ""), "2020-01-01", "2026-11-23", [fixed(s, 120, 60, M(9))],
     HEAT + "It protects businesses, too.", facts="customer=Business")
case("DE", "Heat", ("", "P2W", "Open", "", "Day"), "2020-01-01", "2026-11-23", [(any_day, s, D(14))],
     "An open-ended contract has no statutory term (BGH VIII ZR 111/13): the contract's two weeks count.")

# Germany: life insurance, VVG 168 I (case 2).
for start, cancelled in [("2022-05-15", "2026-11-23"), ("2022-05-15", "2027-05-12"), ("2022-05-15", "2027-05-13"),
                         ("2024-02-29", "2026-11-23"), ("2018-12-01", "2026-11-27")]:
    s = day(start)
    case("DE", "Life", ("P10Y", "P1M", "None", "", ""), start, cancelled, [(contract_end(s, 12), s, D(0))],
         "VVG 168 I, 12: at any time for the end of the insurance period, which is a year. Ten years were agreed.",
         alone=term(s, 120))

# Germany: private health insurance, VVG 205 I.
for start, cancelled in [("2024-07-01", "2026-11-23"), ("2025-07-01", "2026-11-23"), ("2025-07-01", "2027-03-30"),
                         ("2025-07-01", "2027-03-31")]:
    s = day(start)
    case("DE", "HealthInsurance", ("P36M", "P6M", "Fixed", "P24M", ""), start, cancelled,
         [fixed(s, 36, 12, M(3)), (contract_end(s, 12), term(s, 24), M(3))],
         "VVG 205 I, 11: two years at most, then each year, with three months' notice. Three years and six months were agreed.")

# Germany: statutory funds, SGB V 175 IV.
for start, cancelled in [("2020-01-01", "2026-11-23"), ("2020-01-01", "2026-11-27"), ("2020-01-01", "2026-11-30"),
                         ("2020-01-01", "2026-12-30"), ("2026-03-01", "2026-11-23"), ("2026-03-15", "2026-11-23")]:
    s = day(start)
    m1 = term(s, 12)
    case("DE", "StatutoryHealth", ("P12M", "P3M", "Open", "", "Month"), start, cancelled,
         [(calendar_end(1), clip(m1.year, m1.month + 1, 1) - DAY, M(3)), (calendar_end(1), m1, M(2))],
         f"SGB V 175 IV: bound for twelve months (until {m1}), then to the end of the month after next.")

# Germany: parties, PartG 10 II (case 14).
for cancelled in ["2026-11-23", "2026-12-24", "2027-01-01"]:
    s = day("2019-04-01")
    case("DE", "Party", ("", "P3M", "Open", "", "CalendarYear"), "2019-04-01", cancelled,
         [(calendar_end(12), s, M(3)), (any_day, s, D(0))],
         "PartG 10 II: members can leave at once; three months to the end of a year were agreed.")


# Germany: rent, BGB 573c I, 568 I. Saturdays are working days (BGH VIII ZR 206/04).
def rent_de(a):
    d, n = a.replace(day=1), 0
    fixed_days, moving = HOLIDAYS["DE"]
    while d <= a:
        n += d.weekday() < 6 and (d.month, d.day) not in fixed_days and (d - easter(d.year)).days not in moving
        d += DAY
    return notice_end(a.replace(day=1) - DAY if n <= 3 else a, M(3), "DE")


for cancelled, channel in [("2026-11-23", "Mail"), ("2026-11-26", "Mail"), ("2026-11-27", "Mail"), ("2026-11-30", "Mail"),
                           ("2026-12-28", "Mail"), ("2026-04-24", "Mail"), ("2026-11-25", "RegisteredMail")]:
    s = day("2021-06-01")
    case("DE", "Rental", ("", "P6M", "Open", "", "Month"), "2021-06-01", cancelled,
         [(calendar_end(1), s, M(6)), (calendar_end(1), s, rent_de)],
         "BGB 573c: by the third working day of a month for the end of the month after next; six months are void (IV).",
         channel=channel, form="Written")
case("DE", "Rental", ("", "P3M", "Open", "", "Month"), "2021-06-01", "2026-11-23",
     [(calendar_end(1), s, M(3)), (calendar_end(1), s, rent_de)],
     "BGB 568 I: an e-mail is void, so that it goes by registered letter.", by="RegisteredMail", form="Written")

# Germany: the term counts from the signature (BGH III ZR 8/25; case 4).
for concluded, start, cancelled, sector in [
    ("2024-02-01", "2025-01-15", "2025-12-01", "Telecom"),  # case 4
    ("2024-02-01", "2025-01-15", "2026-01-15", "Telecom"),
    ("2024-12-31", "2025-01-15", "2026-11-23", "Telecom"),
    ("2024-06-10", "2025-01-15", "2026-05-07", "Services"),
    ("2024-06-10", "2025-01-15", "2026-05-08", "Services"),
    ("2025-01-15", "2025-01-15", "2026-11-23", "Telecom"),
    ("2022-03-01", "2022-09-01", "2023-11-01", "Services"),
]:
    s, signed = day(start), day(concluded)
    m1 = term(signed, 24)
    case("DE", sector, ("P24M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 24, 12, M(1)), once(m1, M(1)), (any_day, m1 + DAY, M(1))],
         f"BGB 309 Nr. 9 and TKG 56 I: 24 months from the signature on {concluded} end on {m1}.", facts="concludedOn=" + concluded)
s, signed = day("2025-01-15"), day("2024-02-01")
case("DE", "Telecom", ("P24M", "P1M", "Fixed", "P12M", ""), "2025-01-15", "2025-12-01",
     [fixed(s, 24, 12, M(1)), (any_day, term(s, 24) + DAY, M(1))], "A business: the term counts as agreed, from the start.",
     facts="concludedOn=2024-02-01 customer=Business")
case("DE", "Services", ("P12M", "P1M", "Fixed", "P12M", ""), "2025-06-15", "2025-11-24",
     [fixed(day("2025-06-15"), 12, 12, M(1)), (any_day, date(2026, 6, 15), M(1))],
     "Twelve months from the start are within 24 from the signature.", facts="concludedOn=2025-01-01")
s, m1 = day("2021-09-01"), term(day("2021-02-01"), 24)
case("DE", "Services", ("P24M", "P3M", "Fixed", "P12M", ""), "2021-09-01", "2022-10-03",
     [fixed(s, 24, 12, M(3)), once(m1, M(3))], f"BGB 309 Nr. 9 old: 24 months from the signature end on {m1}.",
     facts="concludedOn=2021-02-01")

# Small businesses.
for law, sector, months, notice, text in [
    ("DE", "Telecom", 24, M(1), "TKG 56 I, 71 III: 24 months at most; then a month (56 III)."),
    ("AT", "Telecom", 24, M(1), "TKG 2021 135 I, IV, V: 24 months, then a month, for small businesses too."),
    ("AT", "Energy", 12, D(14), "ElWG 24: a year, then two weeks, for small businesses too."),
    ("ES", "Telecom", 24, M(1), "LGTel 67.7: 24 months, then a month, for small businesses too; RD 899/2009 art. 7."),
]:
    s = day("2024-05-10")
    m1 = term(s, months)
    spain = [(any_day, s, (2, "WD"), COSTS)] if law == "ES" else []
    after = (2, "WD") if law == "ES" else notice
    capped = D(14) if (law, sector) == ("AT", "Energy") else M(1)
    for customer in ["Consumer", "SmallBusiness"]:
        kschg = [(contract_end(s, 6), term(s, 12), M(2))] if (law, sector, customer) == ("AT", "Energy", "Consumer") else []
        case(law, sector, ("P36M", "P1M", "Fixed", "P12M", ""), "2024-05-10", "2026-03-02",
             [fixed(s, months, 12, capped), (any_day, m1 + DAY, after)] + spain + kschg, text, facts="customer=" + customer)
    m3 = term(s, 36)
    business = {"DE": [(any_day, m3 + DAY, M(1))], "ES": [(any_day, m3 + DAY, (2, "WD"))] + spain}.get(law, [])
    case(law, sector, ("P36M", "P1M", "Fixed", "P12M", ""), "2024-05-10", "2026-03-02", [fixed(s, 36, 12, M(1))] + business,
         text + " Not for a larger business: three years were agreed.", facts="customer=Business")

# Germany: motor insurance, PflVG 5a I: until the first of the month after a year.
for start, m1 in [("2025-04-15", date(2026, 5, 1)), ("2025-04-01", date(2026, 3, 31)), ("2025-12-31", date(2027, 1, 1))]:
    s = day(start)
    case("DE", "MotorInsurance", ("P24M", "P1M", "Fixed", "P12M", ""), start, "2026-01-12",
         [fixed(s, 24, 12, M(1)), once(m1, M(1))], f"PflVG 5a I: a first term of two years ends on {m1} at the latest.", form="Written")

# Austria: no renewal without a reminder, KSchG 6 I 2 (case 15).
KSCHG6 = "KSchG 6 I 2: the consumer's silence renews nothing without a reminder in time. "
for sector, start, cancelled in [("Services", "2025-06-01", "2026-11-23"), ("Services", "2026-06-01", "2026-11-23"),
                                 ("Press", "2025-02-10", "2026-11-23"), ("Goods", "2023-08-31", "2026-03-02")]:
    s = day(start)
    case("AT", sector, CONTRACT_12, start, cancelled, [], KSCHG6, facts="renewalReminder=NotSent", alone=term(s, 12))
s = day("2025-06-01")
for facts in ["renewalReminder=Sent", "renewalReminder=NotSent customer=Business", ""]:
    case("AT", "Services", CONTRACT_12, "2025-06-01", "2026-11-23", [fixed(s, 12, 12, M(2))],
         KSCHG6 + "There was one, or it is a business.", facts=facts)
case("AT", "Insurance", CONTRACT_12, "2025-06-01", "2026-11-23", [fixed(s, 12, 12, M(2))],
     "KSchG 6 I 2 is kept to goods and services here; VersVG 8 I allows a year.", facts="renewalReminder=NotSent")

# Switzerland: compulsory health insurance, KVG 7 I.
for cancelled in ["2026-03-27", "2026-03-30", "2026-03-31", "2026-09-29", "2026-11-23"]:
    s = day("2019-01-01")
    case("CH", "StatutoryHealth", ("", "P6M", "Open", "", "CalendarYear"), "2019-01-01", cancelled,
         [(calendar_end(12), s, M(6)), (calendar_end(6), s, M(3), UNSURE), (calendar_end(12), s, M(1))],
         "KVG 7 I: three months to the end of a half of the calendar year, with the ordinary franchise; 7 II: with the new premium, "
         "by 30 November to its end.")

# France.
TEN = "Code de la consommation L224-39: the notice is ten days at most (case 12). "
for cancelled in ["2026-11-23", "2026-12-23", "2026-07-10"]:
    s = day("2022-01-10")
    case("FR", "Telecom", ("", "P1M", "Open", "", "Day"), "2022-01-10", cancelled, [(any_day, s, D(10))], TEN)
case("FR", "Telecom", ("", "P1M", "Open", "", "Day"), "2022-01-10", "2026-11-23", [(any_day, day("2022-01-10"), M(1))],
     TEN + "Not for a business.", facts="customer=Business")
case("FR", "Telecom", ("", "P7D", "Open", "", "Day"), "2022-01-10", "2026-11-23", [(any_day, day("2022-01-10"), D(7))],
     TEN + "Seven were agreed.")
for sector, text in [("HealthInsurance", "L113-15-2 and Code de la mutualité L221-10-2: a mutuelle"),
                     ("Affinity", "L113-15-2, R113-11: insurance sold with goods"), ("HomeInsurance", "L113-15-2: home insurance")]:
    for start, cancelled in [("2024-06-10", "2026-11-23"), ("2026-02-10", "2026-11-23")]:
        s = day(start)
        opened = term(s, 12) + DAY
        while not working(opened, "FR"):
            opened += DAY
        case("FR", sector, CONTRACT_12, start, cancelled, [fixed(s, 12, 12, M(2)), (any_day, notice_end(opened, M(1), "FR"), M(1))],
             text + " ends on any day after the first year, a month after the notice.",
             form="NewProvider" if (sector, start) == ("HomeInsurance", "2024-06-10") else "")  # the tenant's new insurer cancels
s = day("2024-06-10")
case("FR", "MotorInsurance", CONTRACT_12, "2024-06-10", "2026-11-23", [fixed(s, 12, 12, M(2))],
     "A business: only each year, by its own letter.", facts="customer=Business")
for terms, notice, cancelled in [("P3M", M(3), "2026-11-23"), ("P1M", M(1), "2026-11-23"), ("P6M", M(3), "2026-12-24"),
                                 ("P3M", M(3), "2026-05-11")]:
    s = day("2023-09-01")
    case("FR", "Rental", ("P36M", terms, "Fixed", "P36M", ""), "2023-09-01", cancelled,
         [fixed(s, 36, 36, M(int(terms[1]))), (any_day, s, notice)],
         "Act of 6 July 1989, 12, 15: at any time, three months at most, by registered letter.", by="RegisteredMail", form="Registered")

def month_or_30_days(a):
    return min(notice_end(a, M(1), "IT"), a + 30 * DAY)


# Italy: what may cost (case 3), energy (case 16).
for cancelled, why in [("2026-11-23", "in month 9"), ("2028-02-01", "in month 24")]:
    s = day("2026-03-01")
    case("IT", "Telecom", ("P24M", "P1M", "Fixed", "P12M", ""), "2026-03-01", cancelled,
         [fixed(s, 24, 12, M(1)), (any_day, s, month_or_30_days, COSTS), (any_day, term(s, 24) + DAY, month_or_30_days, UNSURE)],
         "D.L. 7/2007: any day, thirty days at most and a month was agreed, for the company's costs; free with the term, and "
         "after it (CCE 98-septies decies 3). " + why)
for start, ways in [("2023-02-01", "free"), ("2026-02-01", "costs"), ("2025-02-01", "renewed")]:
    s = day(start)
    m1 = term(s, 12)
    extra = [(any_day, s, M(1))] if ways == "free" else [(any_day, s, M(1), COSTS), (any_day, m1 + DAY, M(1))]
    for facts in ["", "customer=SmallBusiness"]:
        case("IT", "Energy", ("P12M", "P3M", "Fixed", "P12M", ""), start, "2026-11-23", [fixed(s, 12, 12, M(3))] + extra,
             f"ARERA 302/2016, since 2024 with 250/2023: any day, a month at most ({ways}).", facts=facts)
s = day("2026-02-01")
case("IT", "Energy", ("P12M", "P3M", "Fixed", "P12M", ""), "2026-02-01", "2026-11-23", [fixed(s, 12, 12, M(3))],
     "ARERA 302/2016 covers households and small businesses only.", facts="customer=Business")

# Spain.
for start, cancelled in [("2026-03-01", "2026-11-23"), ("2025-09-15", "2026-11-23")]:
    s = day(start)
    case("ES", "Telecom", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 12, 12, M(1)), (any_day, s, (2, "WD"), COSTS), (any_day, term(s, 12) + DAY, (2, "WD"))],
         "RD 899/2009 art. 7 and LGTel 67: free with the first term and after it (case 3).")
for start, cancelled in [("2025-04-01", "2026-11-23"), ("2026-09-01", "2026-11-23")]:
    s = day(start)
    case("ES", "Rental", ("P12M", "P30D", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 12, 12, D(30)), (any_day, term(s, 6), D(30), COSTS)],
         "LAU 11: after six months with thirty days; the contract may ask for a month's rent for each year left.")
s = day("2023-03-15")
case("ES", "Affinity", ("P12M", "P2M", "Fixed", "P24M", ""), "2023-03-15", "2026-02-12", [fixed(s, 12, 12, M(1))],
     "Ley 50/1980 art. 22: a month's notice, renewed for a year.")

# Netherlands.
for cancelled in ["2026-11-23", "2026-07-28", "2026-07-30"]:  # case 10
    s = day("2024-09-01")
    case("NL", "Press", ("P12M", "P2M", "Fixed", "P12M", ""), "2024-09-01", cancelled, [fixed(s, 12, 3, M(1))],
         "BW 6:236 p: newspapers renew for three months at most, with a month's notice.")
for start, cancelled in [("2025-03-01", "2026-11-23"), ("2026-03-01", "2026-11-23"), ("2025-03-01", "2027-03-10")]:  # case 11
    s = day(start)
    case("NL", "Services", ("P24M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 24, 12, M(1)), (any_day, term(s, 24) + DAY, M(1)), (any_day, term(s, 12), M(1), UNSURE)],
         "BW 6:237 k: presumed unfair if it cannot end after a year with a month's notice.")
for cancelled in ["2026-11-23", "2026-12-30", "2026-12-31"]:
    s = day("2020-01-01")
    case("NL", "StatutoryHealth", ("", "P2M", "Open", "", "CalendarYear"), "2020-01-01", cancelled,
         [(calendar_end(12), s, M(2)), (calendar_end(12), s, D(0))], "Zvw 7: cancelled by 31 December, for the end of the year.")

# Belgium: insurance (case 5), energy (case 6).
for cancelled, channel in [("2026-11-23", "RegisteredMail"), ("2026-11-23", "Email"), ("2026-06-15", "RegisteredMail")]:
    s = day("2025-02-01")
    case("BE", "HomeInsurance", ("P12M", "P3M", "Fixed", "P12M", ""), "2025-02-01", cancelled,
         [fixed(s, 12, 12, M(2)), (any_day, notice_end(date(2026, 2, 2), M(2), "BE"), M(2))],
         "Act of 4 April 2014, 85/1: after a year any day, two months; an e-mail is void (84).",
         channel=channel, by="RegisteredMail", form="Registered")
for facts in ["customer=SmallBusiness", "customer=Business"]:
    case("BE", "HomeInsurance", ("P12M", "P3M", "Fixed", "P12M", ""), "2025-02-01", "2026-11-23", [fixed(day("2025-02-01"), 12, 12, M(2))],
         "Act of 4 April 2014, 85: two months before the year ends, for everybody; any day only for consumers.",
         by="RegisteredMail", form="Registered", facts=facts)
s = day("2026-04-01")
case("BE", "MotorInsurance", ("P12M", "P3M", "Fixed", "P12M", ""), "2026-04-01", "2026-11-23",
     [fixed(s, 12, 12, M(2)), (any_day, notice_end(day("2027-04-01"), M(2), "BE"), M(2))],
     "Act of 4 April 2014, 85: in the first year two months before its end.", by="RegisteredMail", form="Registered")
for start, facts in [("2025-06-01", ""), ("2025-06-01", "customer=SmallBusiness"), ("2022-06-01", "")]:
    s = day(start)
    case("BE", "Energy", ("P36M", "P1M", "Fixed", "P36M", ""), start, "2026-11-23", [fixed(s, 36, 36, M(1)), (any_day, s, M(1))],
         "Act of 29 April 1999, 18 § 2/3: any day, a month's notice, without costs.", facts=facts)
s = day("2025-06-01")
case("BE", "Energy", ("P36M", "P1M", "Fixed", "P36M", ""), "2025-06-01", "2026-11-23", [fixed(s, 36, 36, M(1))],
     "Act of 29 April 1999, 18 § 2/3: households and small businesses only.", facts="customer=Business")

# Denmark (case 7).
for concluded, start, cancelled, sector in [
    ("", "2026-02-15", "2026-11-23", "Services"), ("", "2026-11-01", "2026-11-23", "Services"), ("", "2026-06-20", "2026-11-10", "Press"),
    ("2026-05-01", "2026-09-01", "2026-11-23", "Goods"), ("", "2020-01-31", "2026-11-27", "Services"),
]:
    s, signed = day(start), day(concluded or start)
    opened = term(signed, 5) + DAY
    while not working(opened, "PT"):
        opened += DAY
    case("DK", sector, ("P12M", "P2M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 12, 12, M(2)), (calendar_end(1), notice_end(opened, M(1), "PT"), M(1))],
         f"Forbrugeraftaleloven 28: five months after the signature on {signed}, a month's notice to the end of a month.",
         recipient="PT", facts="concludedOn=" + concluded if concluded else "")
s = day("2026-02-15")
case("DK", "Services", ("P12M", "P2M", "Fixed", "P12M", ""), "2026-02-15", "2026-11-23", [fixed(s, 12, 12, M(2))],
     "Forbrugeraftaleloven 28 protects consumers only.", recipient="PT", facts="customer=SmallBusiness")
case("DK", "Insurance", ("P12M", "P2M", "Fixed", "P12M", ""), "2026-02-15", "2026-11-23", [fixed(s, 12, 12, M(2))],
     "No act is known for insurance: the contract counts.", recipient="PT", missing="law")

# Telecommunications of other countries (cases 8 and 9).
EECC = "EECC 105(3): once renewed any day, "
for law, notice, sure, text in [
    ("SE", M(1), (UNSURE,), "LEK 2022:482 ch. 7, a month."), ("PL", M(1), (UNSURE,), "PKE, a month."),
    ("PT", M(1), (), "Lei 16/2022, a month."), ("CZ", M(1), (), "127/2005, 63b, a month."),
    ("FI", D(14), (), "917/2014, two weeks."), ("IE", M(1), (), "S.I. 444/2022, 89(6), a month."),
]:
    for start, cancelled in [("2024-06-01", "2026-11-23"), ("2025-06-01", "2026-11-23"), ("2026-09-01", "2026-11-23")]:
        s = day(start)
        m1 = term(s, 12)
        ways = [fixed(s, 12, 12, M(3)), (any_day, m1 + DAY, notice, *sure)]
        if law == "SE":
            ways.append((terms_of(s, 12, 12), m1, M(1), UNSURE))
        case(law, "Telecom", ("P12M", "P3M", "Fixed", "P12M", ""), start, cancelled, ways, EECC + text, recipient="PT")
for law in ["PT", "CZ", "FI", "IE"]:
    s = day("2025-06-01")
    m1 = term(s, 24)
    unsure = (UNSURE,) if law == "CZ" else ()
    notice = D(14) if law == "FI" else M(1)
    ways = [fixed(s, 24, 12, M(1)) + unsure, (any_day, m1 + DAY, notice, *unsure)]
    if law == "CZ":
        ways += [fixed(s, 36, 12, M(1)), (any_day, term(s, 36) + DAY, M(1))]
    case(law, "Telecom", ("P36M", "P1M", "Fixed", "P12M", ""), "2025-06-01", "2026-11-23", ways,
         "EECC 105(1): 24 months bind at most; three years were agreed.", recipient="PT")

# Sweden: not reminded, in the first term (case 17).
for start, cancelled in [("2025-12-01", "2026-11-23"), ("2025-12-01", "2026-11-30"), ("2026-03-01", "2026-11-23")]:
    s = day(start)
    m1 = term(s, 12)
    case("SE", "Services", ("P12M", "P3M", "Fixed", "P12M", ""), start, cancelled, [fixed(s, 12, 12, M(3)), (any_day, m1, D(0))],
         f"Lag 2014:1449, 3 §: without a reminder at once, but not before the end of the first term on {m1}.",
         facts="renewalReminder=NotSent")

# --- A second reading of the law ----------------------------------------------------------------

# The cases of a second lawyer. Those of 15 to 30 November are sent on the day with which their date is right.
s = day("2026-03-01")
COURSE = "FernUSG 5 I: first with the first half-year, six weeks; after it any day, three months. "
for cancelled in ["2026-11-30", "2026-03-02", "2026-07-17", "2026-07-20", "2026-07-21"]:
    case("DE", "Course", ("P24M", "P3M", "None", "", ""), "2026-03-01", cancelled,
         [once(term(s, 6), D(42)), (any_day, date(2026, 12, 1), M(3))], COURSE, alone=term(s, 24), form="Text")
s = day("2025-06-01")
for cancelled in ["2026-06-01", "2027-03-15"]:
    case("DE", "Course", ("P24M", "P6M", "Fixed", "P12M", ""), "2025-06-01", cancelled,
         [fixed(s, 24, 12, M(6)), once(term(s, 6), D(42)), (any_day, date(2026, 3, 1), M(3))], COURSE + "Six months were agreed.",
         form="Text")
s = day("2024-01-01")
case("DE", "HomeInsurance", ("P12M", "P3M", "Fixed", "P12M", ""), "2024-01-01", "2026-09-28", [fixed(s, 12, 12, M(3))],
     "BGB 309 Nr. 13 is for insurance terms, too: an e-mail is enough where they ask for writing.", facts="written=true", form="Text")
case("DE", "HomeInsurance", ("P12M", "P3M", "Fixed", "P12M", ""), "2024-01-01", "2026-09-14", [fixed(s, 12, 12, M(3))],
     "BGB 309 Nr. 13 does not protect a business, but BGB 127 II does.", facts="written=true customer=Business", form="Text")
KHVG = "KHVG 14: the contract ends with the month in which its year ends, and asks for a month's notice in writing. "
for start, cancelled, first in [("2025-01-15", "2026-12-15", date(2026, 1, 31)), ("2025-01-15", "2026-12-30", date(2026, 1, 31)),
                                ("2025-02-01", "2026-11-23", date(2026, 1, 31)), ("2024-02-29", "2026-11-23", date(2025, 2, 28))]:
    s = day(start)
    ends = {clip(first.year + k, first.month + 1, 1) - DAY for k in range(100)}
    case("AT", "MotorInsurance", ("P12M", "P3M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 12, 12, M(1)), (lambda d, ends=ends: d in ends, first, M(1))], KHVG, form="Written")
KVG = "KVG 7 II: each new premium lets the insured leave with a month's notice, so that it arrives by 30 November. "
for cancelled in ["2026-11-20", "2026-11-27", "2026-11-30"]:
    s = day("2022-01-01")
    case("CH", "StatutoryHealth", ("P12M", "P3M", "Fixed", "P12M", "CalendarYear"), "2022-01-01", cancelled,
         [(calendar_end(12), date(2022, 12, 31), M(3)), (calendar_end(6), s, M(3), UNSURE), (calendar_end(12), s, M(1))], KVG)
for start, cancelled, months, facts in [("2026-02-01", "2026-11-30", 24, ""), ("2026-09-01", "2026-11-30", 24, ""),
                                        ("2026-02-01", "2026-11-30", 24, "customer=SmallBusiness"),
                                        ("2025-10-15", "2026-03-27", 12, "")]:
    s = day(start)
    case("BE", "Telecom", (f"P{months}M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, months, 12, M(1)), (any_day, s, D(0), COSTS), (any_day, term(s, 6), D(0))],
         "Act of 13 June 2005, 111/3: free after six months, at the moment that the customer chooses.", facts=facts)
s = day("2026-10-01")
case("BE", "Telecom", ("P1M", "P1M", "Fixed", "P12M", ""), "2026-10-01", "2026-11-30",
     [fixed(s, 1, 12, M(1)), (any_day, s, D(0), COSTS), (any_day, term(s, 6), D(0)), (any_day, date(2026, 11, 1), D(0))],
     "Act of 13 June 2005, 111/3: free at once after a renewal.")
s = day("2020-01-01")
case("FR", "Association", ("", "P3M", "Open", "", "CalendarYear"), "2020-01-01", "2026-11-30",
     [(calendar_end(12), s, M(3)), (any_day, s, D(0))], "Act of 1 July 1901, 4: members leave at any time, whatever the articles say.")
s = day("2024-03-01")
case("IT", "Telecom", ("P24M", "P1M", "Fixed", "P12M", ""), "2024-03-01", "2026-11-30",
     [fixed(s, 24, 12, M(1)), (any_day, s, month_or_30_days, COSTS), (any_day, term(s, 24) + DAY, month_or_30_days, UNSURE)],
     "CCE 98-septies decies 3: renewed, any day, for nothing; D.L. 7/2007: thirty days.")
for start, cancelled, sector in [("2025-02-15", "2026-12-01", "HomeInsurance"), ("2025-02-15", "2026-12-14", "HomeInsurance"),
                                 ("2024-06-30", "2026-04-24", "Insurance")]:
    s = day(start)
    case("NL", sector, ("P12M", "P3M", "Fixed", "P12M", ""), start, cancelled, [fixed(s, 12, 12, M(2))],
         "BW 7:940: two months before the period ends.")
s = day("2021-05-01")
for cancelled in ["2026-11-20", "2026-11-23"]:
    case("NL", "Rental", ("", "P1M", "Open", "", "Month"), "2021-05-01", cancelled, [(calendar_end(1), s, M(1))],
         "BW 7:271: by registered letter or bailiff.", by="RegisteredMail", form="Registered")
case("NL", "Rental", ("", "P6M", "Open", "", "Month"), "2021-05-01", "2026-11-20", [(calendar_end(1), s, M(3))],
     "BW 7:271: three months at most.", by="RegisteredMail", form="Registered")
for start, cancelled, sector in [("2025-03-01", "2026-12-15", "HomeInsurance"), ("2025-03-01", "2027-01-18", "HomeInsurance"),
                                 ("2024-08-10", "2026-06-26", "Insurance")]:
    s = day(start)
    case("CZ", sector, ("P12M", "P3M", "Fixed", "P12M", ""), start, cancelled, [fixed(s, 12, 12, D(42))],
         "Civil code 2807: six weeks before the insurance period ends.", recipient="PT")
for start, cancelled, facts, bound in [("2026-08-01", "2026-11-30", "", 6), ("2026-08-01", "2027-01-15", "", 6),
                                       ("2024-08-01", "2026-11-30", "", 6), ("2026-08-01", "2026-11-30", "customer=SmallBusiness", 12)]:
    s = day(start)
    ways = [fixed(s, 12, 12, M(1))] + ([(any_day, term(s, 6), M(1))] if bound == 6 else [])
    case("DK", "Telecom", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled, ways,
         "Consumers are bound for six months at most (Teleankenævnet): a month's notice from the fifth on.", recipient="PT", facts=facts)
s = day("2024-08-01")
case("DK", "Telecom", ("P36M", "P1M", "Fixed", "P12M", ""), "2024-08-01", "2026-06-01", [fixed(s, 36, 12, M(1)), once(term(s, 24), M(1))],
     "Small businesses are bound for 24 months at most (SDFI).", recipient="PT", facts="customer=SmallBusiness")

# The motor insurance of a short first year, to the end of the calendar year (PflVG 5a I, sentence 3).
for start, cancelled in [("2026-04-15", "2026-11-23"), ("2026-04-15", "2026-11-30"), ("2026-12-20", "2026-12-21")]:
    s = day(start)
    case("DE", "MotorInsurance", ("P12M", "P1M", "Fixed", "P12M", "CalendarYear"), start, cancelled,
         [(calendar_end(12), s, M(1))] + ([once(date(2027, 5, 1), M(1))] if start == "2026-04-15" else []),
         "PflVG 5a I 3: the first term ends where the next insurance period begins, a month's notice.", form="Written")


# Care homes, WBVG 11 I.
def care_de(a):
    d, n = a.replace(day=1), 0
    fixed_days, moving = HOLIDAYS["DE"]
    while d <= a:
        n += d.weekday() < 6 and (d.month, d.day) not in fixed_days and (d - easter(d.year)).days not in moving
        d += DAY
    return notice_end(a.replace(day=1) - DAY if n <= 3 else a, M(1), "DE")


for cancelled in ["2026-11-23", "2026-11-24", "2026-12-04", "2026-01-26"]:
    s = day("2024-05-01")
    case("DE", "Care", ("", "P3M", "Open", "", "Month"), "2024-05-01", cancelled,
         [(calendar_end(1), s, M(3)), (calendar_end(1), s, care_de)],
         "WBVG 11 I: by the third working day of a month for its end, in writing.", by="RegisteredMail", form="Written")
for notice, cancelled in [("P3M", "2026-11-30"), ("P1M", "2026-11-30"), ("P2W", "2026-11-30")]:
    s, most = day("2020-01-01"), D(14) if notice == "P2W" else M(1)
    case("DE", "Banking", ("", notice, "Open", "", "Day"), "2020-01-01", cancelled, [(any_day, s, most)],
         "BGB 675h I: at any time; a notice of more than a month is void.")
s = day("2020-01-01")
case("DE", "Water", ("", "P3M", "Open", "", "Month"), "2020-01-01", "2026-11-23", [(calendar_end(1), s, M(3)), (calendar_end(1), s, M(1))],
     "AVBWasserV 32: a month to the end of a month.")
for start, cancelled in [("2025-05-10", "2026-11-23"), ("2026-05-10", "2026-11-23")]:
    s = day(start)
    opened = term(s, 12) + DAY
    while not working(opened, "AT"):
        opened += DAY
    case("AT", "Rental", ("P36M", "P3M", "None", "", ""), start, cancelled,
         [(calendar_end(1), notice_end(opened, M(3), "AT"), M(3))],
         "MRG 29 II: after a year with a month, three months' notice.", alone=term(s, 36), form="Written")
for start, cancelled in [("2026-05-10", "2026-11-23"), ("2025-05-10", "2026-11-23")]:
    s = day(start)
    case("ES", "Energy", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 12, 12, M(1)), (any_day, s, D(0), COSTS, UNSURE), (any_day, term(s, 12) + DAY, D(0), UNSURE)],
         "RD 88/2026: households end electricity at any time; a fixed price may cost 5 % before its first renewal. Not gas.")
for start, cancelled in [("2026-05-10", "2026-11-23"), ("2020-05-10", "2026-11-23")]:
    s = day(start)
    case("FI", "HomeInsurance", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 12, 12, M(1)), (any_day, s, D(0))], "VSL 12: the policyholder may end it at any time.", recipient="PT")
s = day("2025-05-10")
case("PT", "HomeInsurance", ("P12M", "P3M", "Fixed", "P12M", ""), "2025-05-10", "2026-11-23",
     [fixed(s, 12, 12, M(3)), (terms_of(s, 12, 12), term(s, 12), D(30), UNSURE)], "DL 72/2008: thirty days.")
for law, way, text in [("BE", (any_day, day("2020-01-01"), D(0), UNSURE), "WVV 9:23: at any time."),
                       ("IT", (calendar_end(12), day("2020-01-01"), M(3), UNSURE), "c.c. 24: three months to the end of the year."),
                       ("NL", (calendar_end(12), day("2020-01-01"), D(28), UNSURE), "BW 2:36: four weeks to the end of the year.")]:
    case(law, "Association", ("", "P6M", "Open", "", "CalendarYear"), "2020-01-01", "2026-11-23",
         [(calendar_end(12), day("2020-01-01"), M(6)), way], text)
s = day("2025-03-01")
case("IT", "Services", ("P12M", "P3M", "Fixed", "P12M", ""), "2025-03-01", "2026-11-23",
     [fixed(s, 12, 12, M(3)), (any_day, day("2026-03-01"), D(0))],
     "Codice del consumo 65-bis: not told thirty days before a renewal, at any time for nothing.", facts="renewalReminder=NotSent")

# --- Rows of the second review that were missing -------------------------------------------

# NL telecommunications: Tw 7.2a, at most 24 months, then at any time; a month is the most that may be asked (BW 6:236 j).
for start, cancelled, months, notice in [("2024-05-10", "2026-11-23", 24, 1), ("2024-05-10", "2026-11-23", 36, 1),
                                         ("2025-05-10", "2026-11-23", 36, 3), ("2025-11-30", "2026-11-23", 12, 1)]:
    s = day(start)
    bound = min(months, 24)
    ways = [(terms_of(s, bound, 12), term(s, bound), M(notice)), (terms_of(s, months, 12), term(s, months), M(notice)),
            (any_day, term(s, bound) + DAY, M(1))]
    case("NL", "Telecom", (f"P{months}M", f"P{notice}M", "Fixed", "P12M", ""), start, cancelled, ways,
         "Tw 7.2a (2): 24 months at most, and then at any time; BW 6:236 j: a month.")
# CZ: in the first two months of an insurance, eight days after the notice.
for concluded, cancelled, sector in [("2026-11-02", "2026-11-23", "HomeInsurance"), ("2026-10-01", "2026-11-30", "Insurance"),
                                     ("2026-10-01", "2026-12-01", "Insurance"), ("2026-09-01", "2026-11-23", "HomeInsurance"),
                                     ("2026-11-20", "2026-11-23", "Life"), ("2026-11-02", "2026-11-23", "MotorInsurance")]:
    s = day(concluded)
    closes = clip(s.year, s.month + 2, s.day)
    ways = [(terms_of(s, 12, 12), term(s, 12), M(3) if sector == "Life" else D(42))]
    if sector != "MotorInsurance":
        ways.append((any_day, s, lambda a, closes=closes: a + 8 * DAY if a <= closes else date(2199, 1, 1)))
    case("CZ", sector, ("P12M", "P3M", "Fixed", "P12M", ""), concluded, cancelled, ways,
         "Civil code 2805 a): within two months of the conclusion, eight days (iparagraf.cz); 2807: six weeks.", recipient="PT")
# SE: an insurance ends where it would renew, without notice; one of persons at any time.
for start, cancelled, sector in [("2026-01-15", "2026-12-01", "HomeInsurance"), ("2026-01-15", "2027-01-13", "HomeInsurance"),
                                 ("2025-06-06", "2026-06-05", "MotorInsurance"), ("2025-03-01", "2026-11-23", "Insurance"),
                                 ("2026-03-01", "2026-11-23", "HealthInsurance"), ("2020-03-01", "2026-12-23", "HealthInsurance")]:
    s = day(start)
    if sector == "HealthInsurance":
        case("SE", sector, ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled, [fixed(s, 12, 12, M(1)), (any_day, s, D(0))],
             "FAL 11: an insurance of persons ends at any time (modernaforsakringar.se).")
    else:
        case("SE", sector, ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled, [fixed(s, 12, 12, D(1))],
             "FAL 3: with the day of renewal, no period of notice (modernaforsakringar.se).")
# Payment accounts.
for law, notice, cancelled, way, why in [
    ("IT", "P2M", "2026-11-30", (any_day, day("2020-01-01"), D(0)), "TUB 120-bis: at any time, at no cost (brocardi.it)."),
    ("IT", "P15D", "2026-12-04", (any_day, day("2020-01-01"), D(0)), "TUB 120-bis: at any time, at no cost (brocardi.it)."),
    ("FR", "P2M", "2026-11-30", (any_day, day("2020-01-01"), M(1), UNSURE), "PSD2, art. 55: a month at most."),
    ("ES", "P3M", "2026-11-30", (any_day, day("2020-01-01"), M(1), UNSURE), "PSD2, art. 55: a month at most."),
    ("PL", "P2M", "2026-11-30", (any_day, day("2020-01-01"), M(1), UNSURE), "PSD2, art. 55: a month at most."),
]:
    n, unit = int(notice[1:-1]), notice[-1]
    case(law, "Banking", ("", notice, "Open", "", "Day"), "2020-01-01", cancelled,
         [(any_day, day("2020-01-01"), (n, unit)), way], why)
for notice, law in [("P2W", "FR"), ("P1M", "ES"), ("P10D", "PL")]:
    n, unit = int(notice[1:-1]), notice[-1]
    most = (14 if unit == "W" else n, "D" if unit == "W" else unit)
    case(law, "Banking", ("", notice, "Open", "", "Day"), "2020-01-01", "2026-11-30", [(any_day, day("2020-01-01"), most)],
         "PSD2, art. 55: a month at most; this bank asks for no more.")
# FR distance courses: three months to leave, for up to 30 % of the price.
for concluded, cancelled in [("2026-10-01", "2026-11-23"), ("2026-09-01", "2026-11-30"), ("2026-08-01", "2026-11-23")]:
    s = day(concluded)
    closes = clip(s.year, s.month + 3, s.day)
    case("FR", "Course", ("P12M", "P1M", "Fixed", "P12M", ""), concluded, cancelled,
         [fixed(s, 12, 12, M(1)), (any_day, s, lambda a, closes=closes: a if a <= closes else date(2199, 1, 1), COSTS)],
         "Code de l'education L444-8: in the first three months, for a price.")
# Writing that a contract asks for, which the law does not.
for law, sector, start, notice, facts in [("CH", "HomeInsurance", "2025-03-01", 3, "written"), ("CH", "Insurance", "2024-07-10", 3, "written")]:
    s = day(start)
    case(law, sector, ("P12M", f"P{notice}M", "Fixed", "P12M", ""), start, "2026-11-23", [fixed(s, 12, 12, M(notice))],
         "VVG 35a (1): any form that proves it by text.", facts=facts, form="Text")
# PL motor insurance: in writing.
for start, cancelled in [("2026-01-10", "2026-12-01"), ("2025-12-20", "2026-12-17"), ("2025-12-20", "2026-12-18")]:
    s = day(start)
    case("PL", "MotorInsurance", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled, [fixed(s, 12, 12, D(1))],
         "Compulsory insurance act, 28: in writing, a day before the twelve months end.", form="Written")

# --- What authorities tell consumers ------------------------------------------------------

# NO: an insurer that is left within the year has thirty days (if.no); a flat has three months to the end of a month
# (husleieloven 9-6), and no more may be agreed (1-2).
for start, cancelled in [("2026-02-01", "2026-11-30"), ("2024-02-01", "2027-01-04")]:
    s = day(start)
    for sector in ["HomeInsurance", "MotorInsurance"]:
        case("NO", sector, ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled, [fixed(s, 12, 12, M(1)), (any_day, s, M(1))],
             "FAL 3-6: another insurer, a month.", recipient="PT")
for notice, cancelled in [("P6M", "2026-11-30"), ("P1M", "2026-11-30")]:
    s = day("2024-05-10")
    case("NO", "Rental", ("", notice, "Open", "", "Month"), "2024-05-10", cancelled,
         [(calendar_end(1), s, M(int(notice[1]))), (calendar_end(1), s, M(3))],
         "Husleieloven 9-6: three months to the end of a month.", recipient="PT")
# FI electricity: two weeks always; a fixed term of over two years ends like an open one after two (energiavirasto.fi).
s = day("2024-01-01")
case("FI", "Energy", ("", "P1M", "Open", "", "Day"), "2024-01-01", "2026-11-30", [(any_day, s, M(1)), (any_day, s, D(14))],
     "Sahkomarkkinalaki: two weeks.", recipient="PT")
for start, cancelled in [("2024-01-01", "2026-11-30"), ("2025-06-01", "2026-11-30")]:
    s = day(start)
    case("FI", "Energy", ("P36M", "P1M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 36, 12, M(1)), (any_day, notice_end(term(s, 24) + DAY, D(14), "PT"), D(14))],
         "Sahkomarkkinalaki: after two years as if it were open, two weeks.", recipient="PT")
# DK electricity: bound for six months at most (forbrug.dk).
for start, cancelled in [("2026-08-01", "2026-11-30"), ("2026-01-01", "2026-11-30")]:
    s = day(start)
    case("DK", "Energy", ("P12M", "P1M", "Fixed", "P12M", ""), start, cancelled, [fixed(s, 12, 12, M(1)), (any_day, term(s, 6), M(1))],
         "Elforsyningsloven: six months at most.", recipient="PT")
# NL energy: thirty days, whenever; within a fixed term for a fee (consuwijzer.nl).
s = day("2026-01-01")
case("NL", "Energy", ("P36M", "P1M", "Fixed", "P12M", ""), "2026-01-01", "2026-11-30",
     [fixed(s, 36, 12, M(1)), (any_day, s, D(30), COSTS), (any_day, term(s, 36), D(30))], "ACM: thirty days; a fee before the end.")
case("NL", "Energy", ("", "P2M", "Open", "", "Day"), "2026-01-01", "2026-11-30", [(any_day, s, M(2)), (any_day, s, D(30))],
     "ACM: thirty days.")
# CZ electricity: an open contract ends with three months at most (idnes.cz).
case("CZ", "Energy", ("", "P6M", "Open", "", "Day"), "2026-01-01", "2026-11-30", [(any_day, s, M(6)), (calendar_end(1), s, M(3))],
     "Energeticky zakon 11a: three months.", recipient="PT")
# SE electricity: a change of supplier takes three weeks; a fixed price may cost a fee (vanerenergi.se).
s = day("2025-05-10")
case("SE", "Energy", ("P36M", "P1M", "Fixed", "P12M", ""), "2025-05-10", "2026-11-23", [fixed(s, 36, 12, M(1)), (any_day, s, D(21), COSTS)],
     "Ellagen 9:11-12: at any time, for a fee.")
case("SE", "Energy", ("", "P3M", "Open", "", "Day"), "2025-05-10", "2026-11-23", [(any_day, s, M(3)), (any_day, s, D(21))],
     "Ellagen 9:11: a new supplier takes over within three weeks, for nothing.")


# BE flat, in all regions: three months from the first of the next month; rent of one to three months in the first three years.
def from_next_month(a):
    first = clip(a.year, a.month + 1, 1)
    return term(first, 3)


for start in ["2022-06-01", "2025-06-01"]:
    s = day(start)
    case("BE", "Rental", ("P9Y", "P3M", "Fixed", "P3Y", ""), start, "2026-11-23",
         [(terms_of(s, 108, 36), s, M(3)), (calendar_end(1), s, from_next_month, COSTS),
          (calendar_end(1), term(s, 36), from_next_month)],
         "Vlaams Woninghuurdecreet 20; the same in Wallonia and Brussels.")
# GB: no commitment of over 24 months (ofcom.org.uk), and then a month. A fixed tariff of energy may cost an exit fee until
# 49 days before its end, a variable one never does (which.co.uk).
for start, cancelled in [("2024-05-10", "2026-11-23"), ("2025-05-10", "2026-11-23")]:
    s = day(start)
    case("GB", "Telecom", ("P36M", "P2M", "Fixed", "P12M", ""), start, cancelled,
         [fixed(s, 24, 12, M(2)), fixed(s, 36, 12, M(2)), (any_day, term(s, 24) + DAY, M(1))],
         "Ofcom General Condition C1: 24 months at most, then a month.", recipient="PT")
s = day("2025-05-10")
case("GB", "Energy", ("P24M", "P1M", "Fixed", "P12M", ""), "2025-05-10", "2026-11-23",
     [fixed(s, 24, 12, M(1)), (any_day, s, D(0), COSTS), (any_day, term(s, 24), D(0))], "Ofgem: an exit fee.", recipient="PT")
case("GB", "Energy", ("", "P1M", "Open", "", "Day"), "2025-05-10", "2026-11-23", [(any_day, s, M(1)), (any_day, s, D(0))],
     "Ofgem: a variable tariff ends at any time.", recipient="PT")
# CH flat: in writing (OR 266l).
s = day("2022-10-01")
case("CH", "Rental", ("", "P3M", "Open", "", "Quarter"), "2022-10-01", "2026-11-23", [(calendar_end(3), s, M(3))],
     "OR 266c, 266l: three months, signed on paper.", by="RegisteredMail", form="Written")
# PT flat without an end: after six months, four months to the end of a month, by registered letter.
s = day("2022-10-10")
case("PT", "Rental", ("", "P6M", "Open", "", "Month"), "2022-10-10", "2026-11-23",
     [(calendar_end(1), s, M(6)), (calendar_end(1), term(s, 6), D(120))],
     "CC 1100: 120 days to the end of a month (direitosedeveres.org).", by="RegisteredMail", form="Registered")
# NL: what was concluded online also ends online, whatever the terms ask for.
s = day("2025-03-01")
for sector, facts, form, by in [("Services", "written concludedAt=Distance", "Text", "Email"), ("Services", "written", "Written", "RegisteredMail"),
                                ("Telecom", "written concludedAt=Distance", "Text", "Email")]:
    case("NL", sector, ("P12M", "P1M", "Fixed", "P12M", ""), "2025-03-01", "2026-11-23",
         [fixed(s, 12, 12, M(1)), (any_day, day("2026-03-01"), M(1))],
         "BW 6:236 o: the way in which it was concluded.", facts=facts, form=form, by=by)
# DE: in a business contract, e-mail is enough for an agreed written form, unless something else is meant (BGB 127 II).
s = day("2025-03-01")
case("DE", "Services", ("P12M", "P1M", "Fixed", "P12M", ""), "2025-03-01", "2026-11-23", [fixed(s, 12, 12, M(1))],
     "BGB 127 II: e-mail satisfies an agreed writing.", facts="written customer=Business", form="Text")

# Nothing is known.
for law, sector, missing in [("CH", "Services", "law"), ("IE", "Energy", "law"), ("NO", "Services", "law"), ("AT", "Water", "law"),
                             ("DE", "", "sector"), ("FR", "", "sector"), ("IT", "Life", "law")]:
    s = day("2024-06-10")
    case(law, sector, CONTRACT_12, "2024-06-10", "2026-11-23", [fixed(s, 12, 12, M(2))],
         "Only the contract counts.", recipient="PT", missing=missing)

out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(FIELDS.split())
out.writerows(ROWS)
