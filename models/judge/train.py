"""Trains the judge: question + description of a reading -> how well they mean the same.

    python train.py --base <judge.int8.onnx,minilm12.npz,…> --tokenizer <tokenizer.json> --data <rows.jsonl.xz> --held a6,b5 --out <folder>

A row is one question with the readings that the composer proposes: {"set", "question", "candidates": [{"description",
"isRight", "cost"}]}. The scores of a question's readings and a fixed 0 for "none of them" go through one softmax; the loss
is the negative logarithm of the sum over the right readings, because a wrong reading can give the right answer by chance
and must not be learned as strongly as the one that means the same.

Several teachers are trained side by side, each without another part of the sets, and from the next of the bases.
Students, from the bases in turn, then learn the mean of their scores. A base is a quantised model (`.onnx`), or int8 weights
by name with their scales (`.npz`); its weights are the start, and the layer that scores is new unless the base is a judge.
"""
import argparse
import json
import lzma
import math
import os
import random
import subprocess
import sys
import time

import numpy
import torch

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from weights import weights_of  # noqa: E402

MAX_TOKENS = 128
BATCH = 1024  # readings, not questions
COST = 0.5  # about what the service takes from a logit for a reading's cost (src/features/ask/decide.ts)
MAX_COST = 6
SYNTHETIC = 0.3  # what a synthetic question counts
PARTS = 8  # of the sets; a teacher learns without one of them
SHAPE = dict(vocab_size=30522, hidden_size=384, num_attention_heads=12, intermediate_size=1536,
             max_position_embeddings=512, type_vocab_size=2)


class Judge(torch.nn.Module):
    def __init__(self, layers):
        from transformers import BertConfig, BertModel
        super().__init__()
        self.bert = BertModel(BertConfig(num_hidden_layers=layers, **SHAPE), add_pooling_layer=False)
        self.drop = torch.nn.Dropout(0.1)
        self.score = torch.nn.Linear(SHAPE['hidden_size'], 1)
        torch.nn.init.normal_(self.score.weight, std=0.02)
        torch.nn.init.constant_(self.score.bias, -1.0)

    def forward(self, ids, types, mask):
        hidden = self.bert(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        weight = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weight).sum(1) / weight.sum(1)
        return self.score(self.drop(mean)).squeeze(-1)


def begun(path, seed):
    torch.manual_seed(seed)
    weights = {k: v for k, v in weights_of(path).items() if not k.startswith('qa_outputs')}
    model = Judge(1 + max(int(k.split('.')[3]) for k in weights if k.startswith('bert.encoder.layer.')))
    missing, unexpected = model.load_state_dict(weights, strict=False)
    lost = [name for name in missing if not name.startswith('score') and 'position_ids' not in name]
    if lost or unexpected: raise ValueError(f'{path}: missing {lost}, unexpected {unexpected}')
    return model


# ---- rows as tensors

def misspelt(question, chance=0.12):
    """The same question with a few letters in the wrong order or left out."""
    words = question.split(' ')
    for i, word in enumerate(words):
        if len(word) < 5 or not word.isalpha() or random.random() > chance: continue
        at = random.randrange(1, len(word) - 2)
        words[i] = word[:at] + (word[at + 1] + word[at] + word[at + 2:] if random.random() < 0.6 else word[at + 1:])
    return ' '.join(words)


def encoded(tokenizer, rows):
    pairs = [(row['question'][:300], c['description']) for row in rows for c in row['candidates']]
    all_ids = torch.zeros(len(pairs), MAX_TOKENS, dtype=torch.int32)
    first = torch.zeros(len(pairs), dtype=torch.int32)  # where the description begins
    length = torch.zeros(len(pairs), dtype=torch.int32)
    for k, p in enumerate(tokenizer.encode_batch(pairs)):
        all_ids[k, :len(p.ids)] = torch.tensor(p.ids, dtype=torch.int32)
        length[k] = len(p.ids)
        first[k] = p.type_ids.index(1) if 1 in p.type_ids else len(p.ids)
    counts = torch.tensor([len(row['candidates']) for row in rows])
    return {
        'ids': all_ids, 'first': first, 'length': length, 'counts': counts, 'starts': counts.cumsum(0) - counts,
        'right': torch.tensor([bool(c['isRight']) for row in rows for c in row['candidates']]),
        'cost': torch.tensor([float(c.get('cost', 0)) for row in rows for c in row['candidates']]),
        'weight': torch.tensor([float(row.get('weight', 1)) for row in rows]),
        'set': [row['set'] for row in rows], 'isRead': [bool(row.get('isRead')) for row in rows],
    }


def to(data, device):
    return {k: v.to(device) if torch.is_tensor(v) and k not in ('counts', 'starts') else v for k, v in data.items()}


def taken(data, questions):
    """Indices of the readings of these questions."""
    return torch.cat([torch.arange(s, s + n) for s, n in zip(data['starts'][questions].tolist(), data['counts'][questions].tolist())])


def scores_of(model, data, at):
    at = at.to(data['ids'].device)
    width = int(data['length'][at].max())
    ids = data['ids'][at, :width].long()
    place = torch.arange(width, device=ids.device)
    mask = (place < data['length'][at, None]).long()
    types = ((place >= data['first'][at, None]).long() * mask)
    return model(ids, types, mask)


def table(values, counts, none, empty):
    """One line for each question: "none of them" first, then its readings."""
    device, counts = values.device, counts.to(values.device)
    line = torch.repeat_interleave(torch.arange(len(counts), device=device), counts)
    column = torch.arange(len(values), device=device) - torch.repeat_interleave(counts.cumsum(0) - counts, counts) + 1
    out = torch.full((len(counts), int(counts.max()) + 1), empty, dtype=values.dtype, device=device)
    out[:, 0] = none
    return out.index_put((line, column), values)


def loss_of(scores, data, questions, at, taught, alpha):
    counts, device = data['counts'][questions], scores.device
    s = table(scores, counts, 0.0, -1e4)
    right = table(data['right'][at.to(device)].float(), counts, 0.0, 0.0)
    right[:, 0] = (right.sum(1) == 0).float()
    label = torch.logsumexp(s, 1) - torch.logsumexp(s.masked_fill(right == 0, -1e4), 1)
    weight = data['weight'][questions.to(device)]
    loss = (weight * label).sum() / weight.sum()
    if taught is None: return loss
    mean = taught[at.to(device)]
    p = torch.softmax(table(mean, counts, 0.0, -1e4), 1)
    distance = (p * (torch.log(p.clamp_min(1e-6)) - torch.log_softmax(s, 1))).sum(1)
    far = (scores.clamp(-6, 6) - mean.clamp(-6, 6)).square().mean()
    return (1 - alpha) * loss + alpha * ((weight * distance).sum() / weight.sum() + 0.03 * far)


def batches(data, chosen):
    order = chosen[torch.randperm(len(chosen))]
    ends = data['counts'][order].cumsum(0)
    cuts = torch.searchsorted(ends, torch.arange(BATCH, int(ends[-1]) + BATCH, BATCH)).clamp(max=len(order))
    return [part for part in torch.tensor_split(order, torch.unique(cuts)) if len(part)]


def train(model, data, chosen, epochs, rate_max, taught=None, alpha=0.0, name='', seconds=math.inf):
    """Ends after so many epochs or seconds; the rate falls to zero until then."""
    device = data['ids'].device
    steps = epochs * len(batches(data, chosen))
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate_max, weight_decay=0.01, betas=(0.9, 0.98))
    began, step, progress = time.time(), 0, 0.0
    model.train()
    while progress < 1:
        for questions in batches(data, chosen):
            progress = max(step / steps, (time.time() - began) / seconds)
            if progress >= 1: break
            for group in optimizer.param_groups: group['lr'] = rate_max * min(1, (progress + 0.001) / 0.08) * (1 - progress)
            at = taken(data, questions)
            with torch.autocast(device.type, dtype=torch.bfloat16):
                scores = scores_of(model, data, at)
            loss = loss_of(scores.float(), data, questions, at, taught, alpha)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 100 == 0: print(f'{name} {time.time() - began:.0f} s, step {step} of {steps}, loss {loss.item():.3f}', flush=True)
    print(f'{name} trained in {time.time() - began:.0f} s, {step} steps of {steps}', flush=True)
    model.eval()
    return model


@torch.no_grad()
def scored(model, data):
    out = []
    for at in torch.arange(len(data['length'])).split(2048):
        with torch.autocast(data['ids'].device.type, dtype=torch.bfloat16):
            out.append(scores_of(model, data, at).float())
    return torch.cat(out)


# ---- figures

def figures(data, scores, sets):
    """Composed questions of the sets: how many are right and wrong from 0.55 on, and right at so many wrong answers."""
    s = (scores.cpu() - COST * data['cost'].cpu().clamp(0, MAX_COST))
    found, possible = [], 0
    for i, (name, is_read) in enumerate(zip(data['set'], data['isRead'])):
        if name not in sets or is_read: continue
        begin, n = int(data['starts'][i]), int(data['counts'][i])
        p = torch.softmax(torch.cat([torch.zeros(1), s[begin:begin + n]]), 0)[1:]
        right = data['right'][begin:begin + n].cpu()
        possible += bool(right.any())
        found.append((float(p.max()), bool(right[int(p.argmax())])))
    sure = [is_right for p, is_right in found if p >= 0.55]
    text = f'{len(found)} questions, {possible} possible; from 0.55: {sum(sure)} right, {len(sure) - sum(sure)} wrong; right at wrong'
    for limit in (2, 4, 6, 8, 11, 15):
        right = wrong = best = 0
        for _, is_right in sorted(found, reverse=True):
            right, wrong = right + is_right, wrong + (not is_right)
            if wrong <= limit: best = right
        text += f' {limit}: {best}'
    return text


def report(name, data, scores, held):
    later = [one for one in held if one.endswith(('th', 'st', 'nd'))]
    for label, sets in (('chosen on', [one for one in held if one not in later]), ('not chosen on', later)):
        if sets: print(f'{name} | {label} {",".join(sets)} | {figures(data, scores, sets)}', flush=True)


def export(model, folder, name):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    names = ['input_ids', 'token_type_ids', 'attention_mask']
    example = torch.ones(2, 16, dtype=torch.long)
    torch.onnx.export(
        model.cpu().eval(), (example, example * 0, example), f'/tmp/{name}.onnx', input_names=names,
        output_names=['logit'], dynamic_axes={**{k: {0: 'batch', 1: 'tokens'} for k in names}, 'logit': {0: 'batch'}},
        opset_version=17, dynamo=False)
    quantize_dynamic(f'/tmp/{name}.onnx', f'{folder}/{name}.int8.onnx', weight_type=QuantType.QInt8, per_channel=True)


def served(path, data, sets):
    """Scores of the quantised model, as the service computes them: one reading at a time."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 8
    session = onnxruntime.InferenceSession(path, options)
    scores = torch.zeros(len(data['length']))
    for i, name in enumerate(data['set']):
        if name not in sets: continue
        for k in range(int(data['starts'][i]), int(data['starts'][i] + data['counts'][i])):
            n, first = int(data['length'][k]), int(data['first'][k])
            ids = data['ids'][k:k + 1, :n].cpu().numpy().astype('int64')
            types = (numpy.arange(n) >= first).astype('int64')[None]
            scores[k] = float(session.run(['logit'], {'input_ids': ids, 'token_type_ids': types, 'attention_mask': numpy.ones_like(ids)})[0][0])
    return scores


# ---- the parts, each a process of its own

def prepare(given):
    from tokenizers import Tokenizer
    random.seed(1)
    tokenizer = Tokenizer.from_file(given.tokenizer)
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy='longest_first')
    opened = lzma.open if given.data.endswith('.xz') else open
    rows = [row for row in map(json.loads, opened(given.data, 'rt')) if row['candidates']]
    if given.rows: rows = rows[:given.rows]
    rows = [{**row, 'weight': SYNTHETIC} if row['set'] == 'synthetic' else row for row in rows]
    held = given.held.split(',')
    real = [row for row in rows if row['set'] != 'synthetic' and row['set'] not in held and not row['set'].endswith('+')]
    rows += [{**row, 'question': misspelt(row['question']), 'weight': 0.5} for row in real]
    data = encoded(tokenizer, rows)
    torch.save(data, f'{given.work}/data.pt')
    print(len(rows), 'questions,', len(data['length']), 'readings', flush=True)


def learned(data, given, without=None):
    """Questions to learn from; `without`: this part of the sets is left out."""
    # a1+ has the questions of a1 in other words
    plain = [name.rstrip('+') for name in data['set']]
    held = set(given.held.split(','))
    part = {name: i % PARTS for i, name in enumerate(sorted(set(plain) - held - {'synthetic'}))}
    return torch.tensor([i for i, name in enumerate(plain) if name not in held and (without is None or part.get(name) != without)])


def teacher(given, data, number):
    bases = given.base.split(',')
    random.seed(number)
    model = begun(bases[number % len(bases)], number).to(given.device)
    torch.manual_seed(number)
    train(model, data, learned(data, given, number), given.epochs, given.rate, name=f'teacher {number}',
          seconds=given.seconds)
    scores = scored(model, data)
    report(f'teacher {number}', data, scores, given.held.split(','))
    torch.save(scores.cpu(), f'{given.work}/teacher-{number}.pt')


def student(given, data, number):
    bases = given.base.split(',')
    taught = torch.stack([torch.load(f'{given.work}/teacher-{i}.pt') for i in range(given.teachers)]).mean(0).to(given.device)
    if number == 0: report('mean of the teachers', data, taught, given.held.split(','))
    model = begun(bases[number % len(bases)], 100 + number).to(given.device)
    train(model, data, learned(data, given), given.student_epochs, given.rate, taught, 0.7, name=f'student {number}',
          seconds=given.seconds)
    report(f'student {number}', data, scored(model, data), given.held.split(','))
    export(model, given.out, f'student-{number}')
    if given.served:
        held = given.held.split(',')
        report(f'student {number}, quantised', data, served(f'{given.out}/student-{number}.int8.onnx', data, set(held)), held)


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--base', required=True, help='quantised models to begin with, separated by commas')
    options.add_argument('--tokenizer', required=True)
    options.add_argument('--data', required=True)
    options.add_argument('--out', default='.')
    options.add_argument('--work', default='/tmp/judge')
    options.add_argument('--held', default='', help='sets that serve for evaluation only, separated by commas')
    options.add_argument('--teachers', type=int, default=5)
    options.add_argument('--students', type=int, default=2)
    options.add_argument('--epochs', type=int, default=4)
    options.add_argument('--student-epochs', type=int, default=5)
    options.add_argument('--rate', type=float, default=1.5e-4)
    options.add_argument('--seconds', type=float, default=math.inf, help='a model is trained no longer than this')
    options.add_argument('--served', action='store_true', help='also measure the quantised students, which takes minutes')
    options.add_argument('--rows', type=int, help='only so many, to try the script')
    options.add_argument('--part', help='prepare, teacher:N, student:N; all of them without it')
    given = options.parse_args()
    given.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    os.makedirs(given.work, exist_ok=True)
    if given.part:
        name, number = [*given.part.split(':'), '0'][:2]
        if name == 'prepare': return prepare(given)
        data = to(torch.load(f'{given.work}/data.pt'), given.device)
        return {'teacher': teacher, 'student': student}[name](given, data, int(number))

    def run(*parts):
        running = [subprocess.Popen([sys.executable, *sys.argv, '--part', part]) for part in parts]
        if any([one.wait() for one in running]): sys.exit(f'{parts} failed')

    run('prepare')
    run(*[f'teacher:{i}' for i in range(given.teachers)])
    run(*[f'student:{i}' for i in range(given.students)])


if __name__ == '__main__':
    main()
