"""Rows of the sets and of their rephrased questions -> the rows for training.

    python gather.py --rows <folder of dump.ts> --rephrased <bench/quality/rephrased> --more <rows.jsonl.xz> --out <rows.jsonl>

A question and its rephrasings ask for the same. So what is right for one of them is right for all, also where it was not
composed, and what has the right answer for only one of them has it by chance: that is neither right nor wrong. `--more`:
further rows, as synthetic ones.
"""
import argparse
import collections
import json
import lzma
import os

UNREAD = ' | unread:'
MAX_WRONG = 30


def lines(path):
    opened = lzma.open if path.endswith('.xz') else open
    with opened(path, 'rt') as file: return [json.loads(line) for line in file]


def plain(description): return description.split(UNREAD)[0]


def groups(folder, rephrased):
    """The rows of each question, its own first."""
    for name in sorted(os.listdir(folder)):
        if name.endswith('+.jsonl'): continue
        own = lines(f'{folder}/{name}')
        other, wordings = f'{folder}/{name[:-6]}+.jsonl', f'{rephrased}/{name[:-6]}.json'
        asked = {row['question']: row for row in lines(other)} if os.path.exists(other) else {}
        same = json.load(open(wordings)) if asked else {}
        for row in own: yield [row] + [asked[one] for one in same.get(row['question'], []) if one in asked]


def short(row, candidates):
    kept = [{'description': c['description'], 'isRight': c['isRight'], 'cost': c['cost']} for c in candidates]
    return {'set': row['set'], 'question': row['question'], 'isRead': row['isRead'], 'candidates': kept}


def of_group(rows):
    support = collections.Counter(d for row in rows for d in {plain(c['description']) for c in row['candidates'] if c['isRight']})
    most = max(support.values(), default=0)
    if 'meant' in rows[0]:  # by hand; None is what is not clear
        if rows[0]['meant'] is None: return
        support = {rows[0]['meant']: len(rows)}
        most = len(rows)
    meant = {d for d, count in support.items() if len(rows) == 1 or count >= min(2, most)}
    wrong = {plain(c['description']): c for c in rows[0]['candidates'] if not c['isRight']}
    for row in rows:
        known = {plain(c['description']) for c in row['candidates']}
        own = [{**c, 'isRight': plain(c['description']) in meant} for c in row['candidates'] if not c['isRight'] or plain(c['description']) in meant]
        added = [{'description': d, 'isRight': True, 'cost': 1.5} for d in sorted(meant - known)]
        others = [{**c, 'description': d, 'cost': 1.5} for d, c in wrong.items() if d not in known and d not in meant]
        room = max(0, MAX_WRONG - len(own))
        yield short(row, own + added[:2] + others[-room:] if room else own + added[:2])


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--rows', required=True)
    options.add_argument('--rephrased', required=True)
    options.add_argument('--more')
    options.add_argument('--out', required=True)
    given = options.parse_args()
    rows = [row for group in groups(given.rows, given.rephrased) for row in of_group(group)]
    more = [row for row in lines(given.more) if row['set'] == 'synthetic'] if given.more else []
    with open(given.out, 'w') as out:
        for row in rows + more: out.write(json.dumps(row, ensure_ascii=False) + '\n')
    right = sum(any(c['isRight'] for c in row['candidates']) for row in rows)
    print(len(rows), 'rows,', right, 'with a right reading,', sum(len(row['candidates']) for row in rows), 'readings;', len(more), 'more rows')


if __name__ == '__main__':
    main()
