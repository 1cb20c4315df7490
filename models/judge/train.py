"""Trains the judge: question + description of a reading -> how well they mean the same.

    python train.py --base <folder with config.json, model.fp16.safetensors, tokenizer.json> --data <rows.jsonl> --out <folder>

A row is one question with the readings that the composer proposes: {"set", "question", "candidates": [{"description",
"isRight"}]}. The scores of a question's readings and a fixed 0 for "none of them" go through one softmax; the loss is the
negative logarithm of the sum over the right readings, because a wrong reading can give the right answer by chance and
must not be learned as strongly as the one that means the same. Trains one model for each seed and averages their weights.
"""
import argparse
import json
import math
import os
import random
import time

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

MAX_TOKENS = 128
BATCH = 320  # readings, not questions


class Judge(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.bert = BertModel(config, add_pooling_layer=False)
        self.drop = torch.nn.Dropout(0.1)
        self.score = torch.nn.Linear(config.hidden_size, 1)
        torch.nn.init.normal_(self.score.weight, std=0.02)
        torch.nn.init.constant_(self.score.bias, -1.0)

    def forward(self, ids, types, mask):
        hidden = self.bert(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        weight = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weight).sum(1) / weight.sum(1)
        return self.score(self.drop(mean)).squeeze(-1)


def base(folder):
    ignored = ('architectures', '_name_or_path', 'transformers_version', 'model_type')
    config = {k: v for k, v in json.load(open(f'{folder}/config.json')).items() if k not in ignored}
    weights = {k.removeprefix('bert.'): v.float() for k, v in load_file(f'{folder}/model.fp16.safetensors').items()}
    return BertConfig(**config), weights


def encoded(tokenizer, rows):
    out = []
    for row in rows:
        pairs = [tokenizer.encode(row['question'][:300], c['description']) for c in row['candidates']]
        out.append({
            'readings': [(p.ids, p.type_ids) for p in pairs],
            'right': [bool(c['isRight']) for c in row['candidates']],
            'weight': row.get('weight', 1.0),
        })
    return out


def tensors(readings, device):
    width = max(len(ids) for ids, _ in readings)
    ids = torch.zeros(len(readings), width, dtype=torch.long)
    types, mask = ids.clone(), ids.clone()
    for k, (row, kinds) in enumerate(readings):
        ids[k, :len(row)] = torch.tensor(row)
        types[k, :len(row)] = torch.tensor(kinds)
        mask[k, :len(row)] = 1
    return ids.to(device), types.to(device), mask.to(device)


def batches(rows):
    order = list(range(len(rows)))
    random.shuffle(order)
    out, now, size = [], [], 0
    for j in order:
        now.append(j)
        size += len(rows[j]['readings'])
        if size >= BATCH:
            out.append(now)
            now, size = [], 0
    return out + ([now] if now else [])


def loss_of(scores, some):
    total, at, weights = 0, 0, 0
    for row in some:
        n = len(row['right'])
        s = torch.cat([scores.new_zeros(1), scores[at:at + n]])
        right = torch.tensor([not any(row['right']), *row['right']], device=scores.device)
        total = total + row['weight'] * (torch.logsumexp(s, 0) - torch.logsumexp(s[right], 0))
        weights += row['weight']
        at += n
    return total / weights


def train(model, rows, epochs, rate_max, device, until=math.inf):
    steps = epochs * len(batches(rows))
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate_max, weight_decay=0.01, betas=(0.9, 0.98))
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min(1, (s + 1) / (0.08 * steps)) * max(0, (steps - s) / steps))
    began, step = time.time(), 0
    model.train()
    for _ in range(epochs):
        for batch in batches(rows):
            some = [rows[j] for j in batch]
            with torch.autocast(device, dtype=torch.bfloat16):
                scores = model(*tensors([r for row in some for r in row['readings']], device))
            loss = loss_of(scores.float(), some)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            rate.step()
            step += 1
            if step % 200 == 0: print(f'{time.time() - began:.0f} s, step {step} of {steps}, loss {loss.item():.3f}', flush=True)
            if time.time() > until: break
    model.eval()


@torch.no_grad()
def scored(model, rows, device):
    out = []
    for i in range(0, len(rows), 24):
        some = rows[i:i + 24]
        scores = model(*tensors([r for row in some for r in row['readings']], device)).float().cpu().tolist()
        at = 0
        for row in some:
            out.append(scores[at:at + len(row['right'])])
            at += len(row['right'])
    return out


def probabilities(scores):
    top = max([0, *scores])
    whole = math.exp(-top) + sum(math.exp(s - top) for s in scores)
    return [math.exp(s - top) / whole for s in scores]


def figures(rows, scores, thresholds=(0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)):
    """For each threshold: right, wrong and refused; the last column is how many could be right."""
    lines = []
    for t in thresholds:
        right = wrong = 0
        for row, s in zip(rows, scores):
            p = probabilities(s)
            best = max(range(len(p)), key=p.__getitem__)
            if p[best] < t: continue
            if row['right'][best]: right += 1
            else: wrong += 1
        lines.append((t, right, wrong, len(rows) - right - wrong))
    return lines, sum(any(row['right']) for row in rows)


class Export(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, types, mask):
        return self.model(ids, types, mask)


def export(model, folder):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    names = ['input_ids', 'token_type_ids', 'attention_mask']
    example = torch.ones(2, 16, dtype=torch.long)
    torch.onnx.export(
        Export(model.cpu().eval()), (example, example * 0, example), '/tmp/judge.onnx', input_names=names,
        output_names=['logit'], dynamic_axes={**{k: {0: 'batch', 1: 'tokens'} for k in names}, 'logit': {0: 'batch'}},
        opset_version=17, dynamo=False)
    quantize_dynamic('/tmp/judge.onnx', f'{folder}/judge.int8.onnx', weight_type=QuantType.QInt8, per_channel=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--base', required=True)
    options.add_argument('--data', required=True)
    options.add_argument('--out', default='.')
    options.add_argument('--held', default='', help='sets that serve for evaluation only, separated by commas')
    options.add_argument('--epochs', type=int, default=4)
    options.add_argument('--seeds', type=int, default=4)
    options.add_argument('--rate', type=float, default=1.5e-4)
    options.add_argument('--part', type=int, help='trains this seed only; several parts can run side by side')
    options.add_argument('--parts', help='folder of the parts; without --part, they are averaged')
    given = options.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    tokenizer = Tokenizer.from_file(f'{given.base}/tokenizer.json')
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy='longest_first')
    held = set(filter(None, given.held.split(',')))
    rows = [row for row in map(json.loads, open(given.data)) if row['candidates']]
    learned = encoded(tokenizer, [row for row in rows if row['set'] not in held])
    all_unseen = [row for row in rows if row['set'] in held]
    unseen = {name: encoded(tokenizer, [row for row in rows if row['set'] == name]) for name in sorted(held)}
    print(len(learned), 'questions to learn from,', {name: len(some) for name, some in unseen.items()}, flush=True)
    config, weights = base(given.base)

    def report(name, model):
        for set_name, some in unseen.items():
            if not some: continue
            lines, possible = figures(some, scored(model, some, device))
            print(name, set_name, 'possible', possible, 'of', len(some), lines, flush=True)

    def trained(seed):
        random.seed(seed)
        torch.manual_seed(seed)
        model = Judge(config).to(device)
        model.bert.load_state_dict(weights, strict=False)
        train(model, learned, given.epochs, given.rate, device)
        report(f'seed {seed}', model)
        return {k: v.cpu() for k, v in model.state_dict().items()}

    part = lambda seed: f'{given.parts}/{seed}.pt'
    if given.part:
        torch.save(trained(given.part), part(given.part))
        return
    seeds = range(1, given.seeds + 1)
    states = [torch.load(part(seed)) if given.parts else trained(seed) for seed in seeds]
    mean = Judge(config)
    mean.load_state_dict({k: sum(state[k] for state in states) / len(states) for k in states[0]})
    mean = mean.to(device).eval()
    report('mean', mean)
    with open(f'{given.out}/held.jsonl', 'w') as out:
        for row, scores in zip(all_unseen, scored(mean, encoded(tokenizer, all_unseen), device)):
            out.write(json.dumps({**row, 'scores': [round(s, 3) for s in scores]}, ensure_ascii=False) + '\n')
    export(mean, given.out)


if __name__ == '__main__':
    main()
