"""Trains the reader: question + passage -> what kind of answer the passage has, and its words.

    python train.py --teachers <a.npz,…> --base <model.onnx> --tokenizer <tokenizer.json> --open <train-open.json.xz> --out <folder>

The kinds of answer are KINDS. Their scores come from the first position; the words have a start and an end, and position 0
means "not here". Questions to be answered with yes or no teach the kind only.

Several teachers are trained side by side, then students that learn the mean of their scores, too. A base is a quantised
model (`.onnx`), or int8 weights by name with their scales (`.npz`). Writes student-N.int8.onnx.
"""
import argparse
import glob
import json
import lzma
import math
import os
import random
import re
import subprocess
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from weights import weights_of  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ['none', 'words', 'yes', 'no']
NONE, WORDS, YES, NO = range(4)
MAX_TOKENS, STRIDE, BATCH = 320, 100, 192
# how often one of our questions is seen in an epoch, for one of the open ones
OWN = 3
# passages nearest to one of our questions that do not have its answer: of each kind of question
WRONG = 4
# share of the open questions that also get a wrong passage; more do harm, because such a passage often does answer
MINED = 0.18
# of our questions: without the question mark, with letters in the wrong order, of the passages: with names of links before them
UNMARKED, MISSPELT, LINKED = 0.25, 0.12, 0.4
HELD = 20  # one of so many of our passages serves for figures only
SHAPE = dict(vocab_size=30522, hidden_size=384, num_attention_heads=12, intermediate_size=1536,
             max_position_embeddings=512, type_vocab_size=2)


class Reader(torch.nn.Module):
    def __init__(self, layers):
        from transformers import BertConfig, BertModel
        super().__init__()
        self.bert = BertModel(BertConfig(num_hidden_layers=layers, **SHAPE), add_pooling_layer=False)
        self.drop = torch.nn.Dropout(0.1)
        self.qa_outputs = torch.nn.Linear(SHAPE['hidden_size'], 2)
        self.kind = torch.nn.Linear(SHAPE['hidden_size'], len(KINDS))

    def forward(self, ids, types, mask):
        hidden = self.bert(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        start, end = self.qa_outputs(hidden).unbind(-1)
        return start, end, self.kind(self.drop(hidden[:, 0]))


def begun(path, seed):
    torch.manual_seed(seed)
    weights = weights_of(path)
    weights = {k: v for k, v in weights.items() if k.startswith(('bert.', 'qa_outputs', 'kind'))}
    layers = 1 + max(int(k.split('.')[3]) for k in weights if k.startswith('bert.encoder.layer.'))
    model = Reader(layers)
    missing, unexpected = model.load_state_dict(weights, strict=False)
    lost = [name for name in missing if not name.startswith(('qa_outputs', 'kind')) and 'position_ids' not in name]
    if lost or unexpected: raise ValueError(f'{path}: missing {lost}, unexpected {unexpected}')
    return model


# ---- questions

def misspelt(question, chance=0.15):
    words = question.split(' ')
    for i, word in enumerate(words):
        if len(word) < 5 or not word.isalpha() or random.random() > chance: continue
        at = random.randrange(1, len(word) - 2)
        words[i] = word[:at] + (word[at + 1] + word[at] + word[at + 2:] if random.random() < 0.6 else word[at + 1:])
    return ' '.join(words)


FIRST = 'Anna Jonas Priya Mateo Lena Omar Grace Tomasz Ingrid Kenji Fatima Paul Sofia Declan Yara Henrik Chloe Ravi Marta Liam'.split()
LAST = 'Bergmann Okafor Lindqvist Moreau Tanaka Novak Whitfield Haddad Castellano Petrov Ashworth Jansen Mbeki Rossi Keller'.split()
TRADE = 'Logistics Textiles Instruments Bakery Systems Marine Foods Pharma Tools Hotels Paper Optics Energy Farms Studio'.split()


def linked(text):
    """The names of linked records before a text, as the service shows them to the reader."""
    company = f'{random.choice(LAST)} {random.choice(TRADE)}'
    person = f'{random.choice(FIRST)} {random.choice(LAST)}'
    names = random.choice([[company], [person], [company, person], [company, f'{company.split()[0]} {random.choice(TRADE).lower()} order']])
    return ' · '.join(names) + ': ' + text


def varied(question):
    if random.random() < MISSPELT: question = misspelt(question)
    return question.rstrip('?').rstrip() if random.random() < UNMARKED else question


def words_in(text):
    return set(re.findall(r'[a-z]{4,}', text.lower()))


def nearest(question, answer, passages):
    """The passage that shares most words with the question and lacks its answer."""
    wanted = words_in(question)
    others = [p for p in passages if answer.lower() not in p.lower()]
    return max(others, key=lambda p: len(wanted & words_in(p))) if others else None


def open_rows(data):
    """(question, passage, start or -1, answer, kind)"""
    passages = data['contexts']
    by_source = {}
    for _, i, _, _, source in data['rows']: by_source.setdefault(source, []).append(i)
    for question, i, start, answer, source in data['rows']:
        yield question, passages[i], start, answer, WORDS if start >= 0 else NONE
        if start >= 0 and random.random() < MINED:
            some = [passages[j] for j in random.sample(by_source[source], min(40, len(by_source[source]))) if j != i]
            other = nearest(question, answer, some)
            if other: yield question, other, -1, '', NONE


def questions_of(passage):
    """(question, answer, kind)"""
    for question, answer in passage['answerable']: yield question, answer, WORDS
    for question in passage.get('yes', []): yield question, '', YES
    for question in passage.get('no', []): yield question, '', NO
    for question in [*passage['unanswerable'], *passage.get('open', [])]: yield question, '', NONE


def own_rows(passages, at, similar):
    """A question with its passage, and with some that are near by cosine and do not have its answer."""
    passage = passages[at]
    for question, answer, kind in questions_of(passage):
        text = linked(passage['text']) if random.random() < LINKED else passage['text']
        start = text.index(answer, len(text) - len(passage['text'])) if kind == WORDS else -1
        yield varied(question), text, start, answer, kind
        others = [j for j in similar[question] if j != at and not (answer and answer.lower() in passages[j]['text'].lower())]
        for j in random.sample(others, min(WRONG if kind != NONE else 1, len(others))):
            text = linked(passages[j]['text']) if random.random() < LINKED else passages[j]['text']
            yield varied(question), text, -1, '', NONE


def features(tokenizer, rows):
    """[ids, types, start, end, kind] for each row; of a long passage the window with the answer, and sometimes one without it."""
    for question, passage, start, answer, kind in rows:
        first = tokenizer.encode(question[:300], passage)
        windows = [first, *first.overflowing]
        if start < 0:
            # a longer passage may say it in another window
            if len(windows) == 1 or kind == NONE: yield [first.ids, first.type_ids, 0, 0, kind]
            continue
        with_answer, without = [], []
        for window in windows:
            inside = [i for i, (span, type_) in enumerate(zip(window.offsets, window.type_ids))
                      if type_ == 1 and span[0] < start + len(answer) and span[1] > start]
            whole = inside and window.offsets[inside[0]][0] <= start and window.offsets[inside[-1]][1] >= start + len(answer)
            row = [window.ids, window.type_ids, *((inside[0], inside[-1], WORDS) if whole else (0, 0, NONE))]
            (with_answer if whole else without).append(row)
        if with_answer:
            yield with_answer[0]
            if without and random.random() < 0.3: yield random.choice(without)


@torch.no_grad()
def vectors(model, tokenizer, texts, device):
    """Unit vectors, the mean over the tokens."""
    out = []
    for i in range(0, len(texts), 512):
        some = tokenizer.encode_batch(texts[i:i + 512])
        width = max(len(one.ids) for one in some)
        ids = torch.tensor([one.ids + [0] * (width - len(one.ids)) for one in some], device=device)
        mask = torch.tensor([[1] * len(one.ids) + [0] * (width - len(one.ids)) for one in some], device=device)
        hidden = model.bert(input_ids=ids, token_type_ids=ids * 0, attention_mask=mask).last_hidden_state
        weight = mask.unsqueeze(-1).float()
        out.append(torch.nn.functional.normalize((hidden * weight).sum(1) / weight.sum(1), dim=1))
    return torch.cat(out)


def packed(rows):
    length = torch.tensor([len(row[0]) for row in rows])
    ids = torch.zeros(len(rows), int(length.max()), dtype=torch.int32)
    first = torch.zeros(len(rows), dtype=torch.int32)
    for k, (one, types, *_) in enumerate(rows):
        ids[k, :len(one)] = torch.tensor(one, dtype=torch.int32)
        first[k] = types.index(1)
    start, end, kind = (torch.tensor([row[n] for row in rows]) for n in (2, 3, 4))
    return {'ids': ids, 'length': length, 'first': first, 'start': start, 'end': end, 'kind': kind}


def prepare(given):
    from tokenizers import Tokenizer
    random.seed(1)
    tokenizer = Tokenizer.from_file(given.tokenizer)
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, stride=STRIDE, strategy='only_second')
    passages = [json.loads(line) for path in sorted(glob.glob(f'{HERE}/passages/*.jsonl')) for line in open(path)]
    short = Tokenizer.from_file(given.tokenizer)
    short.no_padding()
    short.enable_truncation(256)
    embedder = begun(given.base, 1).to(given.device).eval()
    asked = sorted({question for p in passages for question, *_ in questions_of(p)})
    near = (vectors(embedder, short, asked, given.device)
            @ vectors(embedder, short, [p['text'] for p in passages], given.device).T).topk(14).indices.tolist()
    similar = dict(zip(asked, near))
    held = {i for i in range(len(passages)) if i % HELD == 7}
    rows, group = [], []
    for row in features(tokenizer, open_rows(json.load(lzma.open(given.open, 'rt')))):
        rows.append(row)
        group.append(0)
    for i in range(len(passages)):
        for row in features(tokenizer, own_rows(passages, i, similar)):
            rows.append(row)
            group.append(2 if i in held else 1)
    data = packed(rows)
    data['group'] = torch.tensor(group)
    torch.save(data, f'{given.work}/data.pt')
    print(len(passages), 'passages,', len(rows), 'rows, ours', int((data['group'] == 1).sum()), 'held', int((data['group'] == 2).sum()),
          'kinds', torch.bincount(data['kind'][data['group'] == 1]).tolist(), flush=True)


# ---- training

def scores_of(model, data, at):
    width = int(data['length'][at].max())
    ids = data['ids'][at, :width].long()
    place = torch.arange(width, device=ids.device)
    mask = (place < data['length'][at, None]).long()
    types = (place >= data['first'][at, None]).long() * mask
    start, end, kind = model(ids, types, mask)
    return start.float().masked_fill(mask == 0, -1e4), end.float().masked_fill(mask == 0, -1e4), kind.float()


def batches(data, chosen):
    """Rows of similar length together, in random order."""
    order = chosen[torch.randperm(len(chosen))]
    out = []
    for group in order.split(BATCH * 40):
        out += list(group[data['length'][group.to(data['length'].device)].cpu().argsort()].split(BATCH))
    random.shuffle(out)
    return out


def cross(logits, target):
    return torch.nn.functional.cross_entropy(logits, target, reduction='none')


def distance(logits, taught):
    p = torch.softmax(taught, -1)
    return (p * (torch.log(p.clamp_min(1e-7)) - torch.log_softmax(logits, -1))).sum(-1)


def loss_of(scores, data, at, taught, alpha):
    start, end, kind = scores
    told = data['kind'][at]
    has_words = (told == NONE) | (told == WORDS)
    words = (cross(start, data['start'][at]) + cross(end, data['end'][at])) / 2 * has_words
    label = words + cross(kind, told)
    if taught is None: return label.mean()
    a, b, c = (one[at].float() for one in taught)
    width = start.shape[1]
    far = (distance(start, a[:, :width]) + distance(end, b[:, :width])) / 2 * has_words + distance(kind, c)
    return ((1 - alpha) * label + alpha * far).mean()


def train(model, data, epochs, rate_max, name, seconds, taught=None, alpha=0.0, without=None):
    """Ends after so many epochs or seconds; the rate falls to zero until then."""
    device, group = data['ids'].device, data['group'].cpu()
    own = torch.where(group == 1)[0]
    if without is not None: own = own[own % 12 != without]
    chosen = torch.cat([torch.where(group == 0)[0], *[own] * OWN])
    steps = epochs * math.ceil(len(chosen) / BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate_max, weight_decay=0.01, betas=(0.9, 0.98))
    began, step, progress = time.time(), 0, 0.0
    model.train()
    while progress < 1:
        for at in batches(data, chosen):
            progress = max(step / steps, (time.time() - began) / seconds)
            if progress >= 1: break
            for one in optimizer.param_groups: one['lr'] = rate_max * min(1, (progress + 0.001) / 0.06) * (1 - progress)
            at = at.to(device)
            with torch.autocast(device.type, dtype=torch.bfloat16):
                scores = scores_of(model, data, at)
            loss = loss_of(scores, data, at, taught, alpha)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 300 == 0: print(f'{name} {time.time() - began:.0f} s, step {step} of {steps}, loss {loss.item():.3f}', flush=True)
    print(f'{name} trained in {time.time() - began:.0f} s, {step} steps of {steps}', flush=True)
    model.eval()


@torch.no_grad()
def scored(model, data):
    device, width = data['ids'].device, data['ids'].shape[1]
    n = len(data['length'])
    out = [torch.full((n, width), -1e4, dtype=torch.float16, device=device), torch.full((n, width), -1e4, dtype=torch.float16, device=device),
           torch.zeros(n, len(KINDS), dtype=torch.float16, device=device)]
    for at in data['length'].argsort().split(1024):
        with torch.autocast(device.type, dtype=torch.bfloat16):
            start, end, kind = scores_of(model, data, at)
        out[0][at, :start.shape[1]] = start.clamp(-1e4).half()
        out[1][at, :end.shape[1]] = end.clamp(-1e4).half()
        out[2][at] = kind.half()
    return out


def report(name, data, scores):
    """Of the passages held out: how well answers are told from none, and yes from no."""
    at = torch.where(data['group'] == 2)[0]
    kind, told = scores[2][at].float(), data['kind'][at]
    answer = torch.logsumexp(kind[:, 1:], 1) - kind[:, 0]
    here, gone = answer[told != NONE].sort().values, answer[told == NONE].sort().values
    auc = torch.searchsorted(gone, here).float().mean() / max(1, len(gone))
    limit = gone[int(len(gone) * 0.97)]
    words = told == WORDS
    exact = ((scores[0][at][words].float().argmax(1) == data['start'][at][words]) & (scores[1][at][words].float().argmax(1) == data['end'][at][words])).float().mean()
    sides = (told == YES) | (told == NO)
    says = (kind[sides].argmax(1) == told[sides]).float().mean()
    swapped = ((kind[sides][:, YES] > kind[sides][:, NO]) != (told[sides] == YES)).float().mean()
    print(f'{name} | {len(at)} rows | auc {auc:.4f} | found at 3 % false {(here > limit).float().mean():.3f} | exact words {exact:.3f} | '
          f'yes/no right {says:.3f}, swapped {swapped:.3f}', flush=True)


def export(model, folder, name):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    names, outputs = ['input_ids', 'token_type_ids', 'attention_mask'], ['start', 'end', 'kind']
    example = torch.ones(2, 16, dtype=torch.long)
    axes = {k: {0: 'batch', 1: 'tokens'} for k in [*names, 'start', 'end']}
    torch.onnx.export(
        model.cpu().eval(), (example, example * 0, example), f'/tmp/{name}.onnx', input_names=names, output_names=outputs,
        dynamic_axes={**axes, 'kind': {0: 'batch'}}, opset_version=17, dynamo=False)
    quantize_dynamic(f'/tmp/{name}.onnx', f'{folder}/{name}.int8.onnx', weight_type=QuantType.QInt8, per_channel=True)


# ---- the parts, each a process of its own

def teacher(given, data, number):
    random.seed(number)
    model = begun(given.teachers[number], number).to(given.device)
    train(model, data, given.epochs, given.rate, f'teacher {number}', given.seconds, without=number)
    scores = scored(model, data)
    report(f'teacher {number}', data, scores)
    torch.save([one.cpu() for one in scores], f'{given.work}/teacher-{number}.pt')


def student(given, data, number):
    parts = [torch.load(f'{given.work}/teacher-{i}.pt') for i in range(len(given.teachers))]
    taught = [torch.stack([part[k].float() for part in parts]).mean(0).half().to(given.device) for k in range(3)] if parts else None
    if taught and number == 0: report('mean of the teachers', data, taught)
    model = begun(given.base, 100 + number).to(given.device)
    random.seed(100 + number)
    train(model, data, given.student_epochs, given.rate, f'student {number}', given.seconds, taught, 0.7)
    report(f'student {number}', data, scored(model, data))
    torch.save(model.state_dict(), f'{given.work}/student-{number}.pt')
    export(model, given.out, f'student-{number}')


def soup(given, data, _):
    """The mean of the students' weights."""
    states = [torch.load(f'{given.work}/student-{i}.pt', map_location='cpu') for i in range(given.students)]
    model = begun(given.base, 1)
    model.load_state_dict({name: sum(state[name].float() for state in states) / len(states) for name in states[0]})
    model = model.to(given.device).eval()
    report('mean of the students', data, scored(model, data))
    export(model, given.out, 'mean')


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--teachers', default='', help='the base of each teacher, separated by commas; without them students learn from the labels alone')
    options.add_argument('--base', required=True, help='the base of the students')
    options.add_argument('--tokenizer', required=True)
    options.add_argument('--open', required=True)
    options.add_argument('--out', default='.')
    options.add_argument('--work', default='/tmp/reader')
    options.add_argument('--students', type=int, default=2)
    options.add_argument('--epochs', type=int, default=3)
    options.add_argument('--student-epochs', type=int, default=5)
    options.add_argument('--rate', type=float, default=2e-4)
    options.add_argument('--seconds', type=float, default=math.inf, help='a model is trained no longer than this')
    options.add_argument('--part', help='prepare, teacher:N, student:N, soup; all of them without it')
    given = options.parse_args()
    given.teachers = given.teachers.split(',') if given.teachers else []
    given.device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    os.makedirs(given.work, exist_ok=True)
    os.makedirs(given.out, exist_ok=True)
    if given.part:
        name, number = [*given.part.split(':'), '0'][:2]
        if name == 'prepare': return prepare(given)
        data = {k: v.to(given.device) for k, v in torch.load(f'{given.work}/data.pt').items()}
        return {'teacher': teacher, 'student': student, 'soup': soup}[name](given, data, int(number))

    def run(*parts):
        running = [subprocess.Popen([sys.executable, *sys.argv, '--part', part]) for part in parts]
        if any([one.wait() for one in running]): sys.exit(f'{parts} failed')

    run('prepare')
    run(*[f'teacher:{i}' for i in range(len(given.teachers))])
    run(*[f'student:{i}' for i in range(given.students)])
    run('soup')


if __name__ == '__main__':
    main()
