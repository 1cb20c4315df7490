"""Trains the reader: question + passage -> start and end of the answer, or position 0 for "not in this passage".

    python train.py --base <folder with config.json, model.fp16.safetensors, tokenizer.json> \
                    --open <train-open.json.xz> --out <folder>

Trains one model for each of RUNS and averages their weights: the mean of five is better than the best of them
(README.md). Data: passages/*.jsonl (ours) and the open questions of README.md. Writes reader.onnx and reader.int8.onnx.
"""
import argparse
import glob
import json
import lzma
import os
import random
import re
import time

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertForQuestionAnswering, BertModel

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_TOKENS, STRIDE, BATCH = 320, 100, 96
# how often our questions are seen in an epoch, learning rate, wrong passages for each of our questions, share of the open ones
RUNS = [(3, 2e-4, 2, 1.0), (4, 2e-4, 2, 0.6), (3, 2e-4, 1, 1.0), (3, 2e-4, 2, 0.8), (3, 1.5e-4, 3, 0.8)]
# share of the open questions that also get a wrong passage; more do harm, because such a passage often does answer
MINED = 0.18


def base(folder):
    ignored = ('architectures', '_name_or_path', 'transformers_version', 'model_type')
    config = {k: v for k, v in json.load(open(f'{folder}/config.json')).items() if k not in ignored}
    weights = {k.removeprefix('bert.'): v.float() for k, v in load_file(f'{folder}/model.fp16.safetensors').items()}
    return BertConfig(**config), weights


def new_reader(config, weights):
    model = BertForQuestionAnswering(config)
    model.bert.load_state_dict(weights, strict=False)
    return model


@torch.no_grad()
def vectors(model, tokenizer, texts, device):
    """Unit vectors, the mean over the tokens."""
    out = []
    for i in range(0, len(texts), 256):
        ids, types, mask = tensors([(w.ids, w.type_ids) for w in map(tokenizer.encode, texts[i:i + 256])], device)
        hidden = model(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        weight = mask.unsqueeze(-1).float()
        out.append(torch.nn.functional.normalize((hidden * weight).sum(1) / weight.sum(1), dim=1))
    return torch.cat(out)


def words(text):
    return set(re.findall(r'[a-z]{4,}', text.lower()))


def nearest(question, answer, passages):
    """The passage that shares most words with the question and lacks its answer."""
    wanted = words(question)
    others = [p for p in passages if answer.lower() not in p.lower()]
    return max(others, key=lambda p: len(wanted & words(p))) if others else None


def open_rows(data, share):
    """(question, passage, start or -1, answer): a share of the open questions, and some with a passage that lacks the answer."""
    passages = data['contexts']
    by_source = {}
    for _, i, _, _, source in data['rows']:
        by_source.setdefault(source, []).append(i)
    for question, i, start, answer, source in data['rows']:
        if random.random() > share: continue
        yield question, passages[i], start, answer
        if start >= 0 and random.random() < MINED:
            some = [passages[j] for j in random.sample(by_source[source], min(40, len(by_source[source]))) if j != i]
            other = nearest(question, answer, some)
            if other: yield question, other, -1, ''


def own_rows(passages, similar, wrong):
    """Ours: both questions with their answer and with passages of other worlds that are near by cosine, and the near misses."""
    for at, p in enumerate(passages):
        for question, answer in p['answerable']:
            yield question, p['text'], p['text'].index(answer), answer
            others = [j for j in similar[question] if j != at and answer.lower() not in passages[j]['text'].lower()]
            for j in random.sample(others, min(wrong, len(others))): yield question, passages[j]['text'], -1, ''
        for question in p['unanswerable']:
            yield question, p['text'], -1, ''


def features(tokenizer, rows):
    """(ids, types, start, end) for each row; of a long passage the window with the answer, and sometimes one without it."""
    for question, passage, start, answer in rows:
        first = tokenizer.encode(question[:300], passage)
        with_answer, without = [], []
        for window in [first, *first.overflowing]:
            inside = [
                i for i, (span, kind) in enumerate(zip(window.offsets, window.type_ids))
                if kind == 1 and span[0] < start + len(answer) and span[1] > start
            ] if start >= 0 else []
            whole = inside and window.offsets[inside[0]][0] <= start and window.offsets[inside[-1]][1] >= start + len(answer)
            ends = (inside[0], inside[-1]) if whole else (0, 0)
            (with_answer if whole else without).append((window.ids, window.type_ids, *ends))
        if start < 0: yield without[0]
        elif with_answer:
            yield with_answer[0]
            if without and random.random() < 0.3: yield random.choice(without)


def tensors(rows, device):
    width = max(len(ids) for ids, *_ in rows)
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    types, mask = ids.clone(), ids.clone()
    for k, (row, kinds, *_) in enumerate(rows):
        ids[k, :len(row)] = torch.tensor(row)
        types[k, :len(row)] = torch.tensor(kinds)
        mask[k, :len(row)] = 1
    return ids.to(device), types.to(device), mask.to(device)


def batches(rows):
    """Windows of similar length together, in random order."""
    order = list(range(len(rows)))
    random.shuffle(order)
    out = []
    for i in range(0, len(order), BATCH * 20):
        group = sorted(order[i:i + BATCH * 20], key=lambda j: len(rows[j][0]))
        out += [group[k:k + BATCH] for k in range(0, len(group), BATCH)]
    random.shuffle(out)
    return out


def train(model, rows, epochs, rate_max, device):
    steps = epochs * len(rows) // BATCH
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate_max, weight_decay=0.01, betas=(0.9, 0.98))
    rate = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: min(1, (s + 1) / (0.06 * steps)) * max(0, (steps - s) / steps))
    began, step = time.time(), 0
    model.train()
    for _ in range(epochs):
        for batch in batches(rows):
            some = [rows[j] for j in batch]
            ids, types, mask = tensors(some, device)
            with torch.autocast(device, dtype=torch.bfloat16):
                out = model(input_ids=ids, token_type_ids=types, attention_mask=mask)
            loss = sum(
                torch.nn.functional.cross_entropy(
                    logits.float().masked_fill(mask == 0, -1e4),
                    torch.tensor([row[at] for row in some], device=device))
                for logits, at in ((out.start_logits, 2), (out.end_logits, 3))) / 2
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            rate.step()
            step += 1
            if step % 400 == 0: print(f'{time.time() - began:.0f} s, step {step} of {steps}, loss {loss.item():.3f}', flush=True)
    model.eval()


class Export(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, types, mask):
        out = self.model(input_ids=ids, token_type_ids=types, attention_mask=mask)
        return out.start_logits, out.end_logits


def export(model, folder):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    names = ['input_ids', 'token_type_ids', 'attention_mask']
    example = torch.ones(2, 16, dtype=torch.long)
    torch.onnx.export(
        Export(model.cpu()), (example, example * 0, example), f'{folder}/reader.onnx', input_names=names,
        output_names=['start', 'end'], dynamic_axes={k: {0: 'batch', 1: 'tokens'} for k in [*names, 'start', 'end']},
        opset_version=17, dynamo=False)
    quantize_dynamic(f'{folder}/reader.onnx', f'{folder}/reader.int8.onnx', weight_type=QuantType.QInt8, per_channel=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--base', required=True)
    options.add_argument('--open', required=True)
    options.add_argument('--out', default='.')
    options.add_argument('--epochs', type=int, default=3)
    given = options.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    tokenizer = Tokenizer.from_file(f'{given.base}/tokenizer.json')
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, stride=STRIDE, strategy='only_second')
    passages = [json.loads(line) for path in sorted(glob.glob(f'{HERE}/passages/*.jsonl')) for line in open(path)]
    open_data = json.load(lzma.open(given.open, 'rt'))
    config, weights = base(given.base)
    embedder = BertModel(config, add_pooling_layer=False).to(device).eval()
    embedder.load_state_dict(weights, strict=False)
    questions = [question for p in passages for question, _ in p['answerable']]
    tokenizer_for_one = Tokenizer.from_file(f'{given.base}/tokenizer.json')
    tokenizer_for_one.no_padding()
    tokenizer_for_one.enable_truncation(256)
    near = (vectors(embedder, tokenizer_for_one, questions, device)
            @ vectors(embedder, tokenizer_for_one, [p['text'] for p in passages], device).T).topk(12).indices.tolist()
    similar = dict(zip(questions, near))
    total = None
    for seed, (own_weight, rate, wrong, share) in enumerate(RUNS, start=1):
        random.seed(seed)
        torch.manual_seed(seed)
        rows = list(features(tokenizer, open_rows(open_data, share)))
        rows += list(features(tokenizer, own_rows(passages, similar, wrong))) * own_weight
        model = new_reader(config, weights).to(device)
        train(model, rows, given.epochs, rate, device)
        state = {name: value.cpu() / len(RUNS) for name, value in model.state_dict().items()}
        total = state if total is None else {name: total[name] + value for name, value in state.items()}
    mean = new_reader(config, weights)
    mean.load_state_dict(total)
    export(mean.eval(), given.out)


if __name__ == '__main__':
    main()
