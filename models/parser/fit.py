"""Fits the weights by which `ask` decides between readings (src/features/ask/decide.ts).

    python fit.py --rows <folder of bench/quality/readings/features.ts> [--without unexplained] [--fixed noneByRules=-1]

A conditional logit: the scores of the readings of a question and a fixed 0 for "none of them" go through one softmax, and
what is right is the sum over the readings with the right answer. Figures are those of sets that were left out of the
fit, four parts in turn; the weights are those of all sets.
"""
import argparse
import collections
import glob
import json
import math

import torch

CERTAIN, POSSIBLE = 0.95, 0.45
PARSED = ('unparsed', 'logp')


def rows_in(folder):
    for path in sorted(glob.glob(f'{folder}/*.jsonl')):
        for line in open(path): yield json.loads(line)


def fitted(rows, names, fixed, penalty):
    weights = torch.zeros(len(names), requires_grad=True)
    start = torch.tensor([fixed.get(name, 0.0) for name in names])
    free = torch.tensor([float(name not in fixed) for name in names])
    inputs = [(torch.tensor([[c['features'][n] for n in names] for c in row['candidates']], dtype=torch.float32).reshape(-1, len(names)),
               torch.tensor([c['isRight'] for c in row['candidates']], dtype=torch.bool)) for row in rows]
    width = max(1, max(len(x) for x, _ in inputs))
    table = torch.zeros(len(inputs), width, len(names))
    there = torch.zeros(len(inputs), width, dtype=torch.bool)
    right = torch.zeros(len(inputs), width + 1, dtype=torch.bool)
    for i, (x, isRight) in enumerate(inputs):
        table[i, :len(x)], there[i, :len(x)], right[i, 1:len(x) + 1] = x, True, isRight
        right[i, 0] = not isRight.any()
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn='strong_wolfe')

    def loss():
        optimizer.zero_grad()
        own = start + weights * free
        scores = (table @ own).masked_fill(~there, -1e4)
        all_ = torch.cat([torch.zeros(len(inputs), 1), scores], 1)
        value = (torch.logsumexp(all_, 1) - torch.logsumexp(all_.masked_fill(~right, -1e4), 1)).sum() + penalty * (weights ** 2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    return dict(zip(names, (start + weights * free).tolist()))


def decided(candidates, weights):
    """The likeliest answer: (likelihood, the first reading with it)."""
    scores = [math.exp(min(50, sum(weights[n] * v for n, v in c['features'].items() if n in weights))) for c in candidates]
    total = 1 + sum(scores)
    groups = collections.defaultdict(float)
    for c, score in zip(candidates, scores): groups[c['group']] += score / total
    if not groups: return 0, None
    best = max(groups, key=groups.get)
    return groups[best], candidates[best] if best < len(candidates) else None


def outcome(row, weights, sure):
    # before anything is parsed
    rules = [{**c, 'group': i, 'features': {**c['features'], **dict.fromkeys(PARSED, 0)}} for i, c in enumerate(row['candidates']) if c['features']['byRules']]
    likelihood, best = decided(rules, weights)
    if likelihood < CERTAIN:
        likelihood, best = decided([dict(c) for c in row['candidates']], weights)
    if likelihood < POSSIBLE or best is None or best['features']['unanswered']: return 'refused'
    how = '' if likelihood >= sure else 'possibly '
    return how + ('right' if best['isRight'] else 'wrong' if row['about'] == 'data' else 'taken')


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument('--rows', required=True)
    ask.add_argument('--without', default='')
    ask.add_argument('--fixed', default='', help='weights that are not fitted')
    ask.add_argument('--penalty', type=float, default=0.5)
    ask.add_argument('--verbose', action='store_true')
    options = ask.parse_args()
    rows = list(rows_in(options.rows))
    left = set(options.without.split(','))
    fixed = {name: float(value) for name, value in (one.split('=') for one in options.fixed.split(',') if one)}
    names = [n for n in next(r for r in rows if r['candidates'])['candidates'][0]['features'] if n not in left]
    sets = sorted({row['set'] for row in rows})
    data = sum(row['about'] == 'data' for row in rows)
    parts = [fitted([r for r in rows if sets.index(r['set']) % 4 != k], names, fixed, options.penalty) for k in range(4)]
    print(len(sets), 'sets,', data, 'questions of', len(rows), 'about the data; a right reading for', sum(any(c['isRight'] for c in r['candidates']) for r in rows))
    for sure in (0.5, 0.6, 0.7, 0.75, 0.8):
        counts = collections.Counter()
        for row in rows:
            result = outcome(row, parts[sets.index(row['set']) % 4], sure)
            counts[result] += 1
            if options.verbose and sure == 0.75 and result in ('wrong', 'taken'): print('   ', row['set'], row['question'], row['expected'])
        print(sure, {k: counts[k] for k in ('right', 'wrong', 'taken', 'possibly right', 'possibly wrong', 'possibly taken', 'refused')})
    print(json.dumps({name: round(value, 2) for name, value in fitted(rows, names, fixed, options.penalty).items()}))


if __name__ == '__main__': main()
