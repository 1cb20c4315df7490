"""Trains the parser: question + items of the account near it -> the reading, token by token.

    python train.py --base <encoder.npz> --tokenizer <tokenizer.json> --data <rows.jsonl.xz> --held a6,b5 --out <folder>

A row is one question: {"set", "question", "items": [{"kind", "said", "text"}], "tokens": ["of deal", "count", "@3", …]},
"weight"?}. A token is a word of the query language, or points to an item. The encoder reads the question and the items;
the decoder writes the tokens, choosing among the words and the items.

Names, values and fields are exchanged for those of other accounts while it trains, so that it learns to point and not
the words of one account.
"""
import argparse
import functools
import json
import lzma
import math
import os
import random
import re
import sys
import time
from collections import defaultdict

import numpy
import torch
from torch import nn
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from weights import weights_of  # noqa: E402

WIDTH = 384
HEADS = 6
MAX_INPUT = 384
MAX_OUTPUT = 48
END = '.'
REFUSED = 'none'
KINDS = ['value', 'field', 'time', 'number']
SHAPE = dict(vocab_size=30522, hidden_size=WIDTH, num_attention_heads=12, intermediate_size=1536,
             max_position_embeddings=512, type_vocab_size=2)


class Block(nn.Module):
    """One layer of the decoder: what was written so far, then the question and the items."""
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3))
        self.own, self.ownOut = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.ask, self.answer, self.askOut = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.drop = nn.Dropout(0.1)

    def read(self, memory):
        """Keys and values of the question and the items: [2, batch, heads, input, size]."""
        return torch.stack([heads(one) for one in self.answer(memory).chunk(2, -1)])

    def forward(self, x, past, read, ownMask, readMask):
        """`past`: keys and values of what was written before x. Returns also those with x."""
        q, k, v = (heads(one) for one in self.own(self.norms[0](x)).chunk(3, -1))
        now = torch.cat([past, torch.stack([k, v])], 3)
        x = x + self.drop(self.ownOut(attended(q, now[0], now[1], ownMask, self.drop)))
        q = heads(self.ask(self.norms[1](x)))
        x = x + self.drop(self.askOut(attended(q, read[0], read[1], readMask, self.drop)))
        return x + self.drop(self.narrow(self.drop(F.gelu(self.wide(self.norms[2](x)))))), now


def heads(x):
    return x.reshape(x.shape[0], x.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)


def attended(q, k, v, mask, drop):
    """`mask` is added: 0 for what can be seen."""
    weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + mask, -1)
    x = drop(weights) @ v
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], WIDTH)


class Parser(nn.Module):
    def __init__(self, layers, words, depth):
        from transformers import BertConfig, BertModel
        super().__init__()
        self.bert = BertModel(BertConfig(num_hidden_layers=layers, **SHAPE), add_pooling_layer=False)
        self.words = nn.Embedding(words, WIDTH)
        self.places = nn.Embedding(MAX_OUTPUT + 1, WIDTH)
        self.pointed = nn.Linear(WIDTH, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(depth))
        self.norm = nn.LayerNorm(WIDTH)
        self.bias = nn.Parameter(torch.zeros(words))
        self.toItem = nn.Linear(WIDTH, WIDTH)
        self.ofItem = nn.Linear(WIDTH, WIDTH)
        for one in (self.words, self.places): nn.init.normal_(one.weight, std=0.02)

    def encode(self, ids, types, mask, spans):
        """spans: [batch, items, input], each line the mean over the tokens of an item. Returns what `decode` needs."""
        memory = self.bert(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        items = torch.bmm(spans.to(memory.dtype), memory)
        return torch.stack([block.read(memory) for block in self.blocks]), items

    def begin(self, batch):
        return torch.zeros(len(self.blocks), 2, batch, HEADS, 0, WIDTH // HEADS, device=self.bias.device)

    def decode(self, written, place, past, read, mask, items, hasItem):
        """
        written: [batch, length], words as they are, items from the number of words on; place: [length], where they stand;
        past: [layers, 2, batch, …] from before. Returns the scores of the words and the items for what follows each.
        """
        count = self.words.num_embeddings
        isItem = (written >= count).unsqueeze(-1)
        at = (written - count).clamp(min=0).unsqueeze(-1).expand(-1, -1, WIDTH)
        pointed = torch.gather(self.pointed(items).expand(written.shape[0], -1, -1), 1, at)
        x = torch.where(isItem, pointed.to(self.words.weight.dtype), self.words(written.clamp(max=count - 1))) + self.places(place)
        before = torch.arange(past.shape[4] + written.shape[1], device=written.device)
        ownMask = (before.unsqueeze(0) > place.unsqueeze(1)).to(x.dtype) * -1e4
        readMask = (1 - mask.to(x.dtype))[:, None, None, :] * -1e4
        after = []
        for at, block in enumerate(self.blocks):
            x, now = block(x, past[at], read[at], ownMask, readMask)
            after.append(now)
        x = self.norm(x)
        points = self.toItem(x) @ self.ofItem(items).transpose(1, 2) / math.sqrt(WIDTH)
        points = points + (1 - hasItem.to(x.dtype)).unsqueeze(1) * -1e4
        return torch.cat([(x @ self.words.weight.T + self.bias).float(), points.float()], -1), torch.stack(after)


# ---- rows

def misspelt(question, chance):
    words = question.split(' ')
    for i, word in enumerate(words):
        if len(word) < 5 or not word.isalpha() or random.random() > chance: continue
        at = random.randrange(1, len(word) - 2)
        words[i] = word[:at] + (word[at + 1] + word[at] + word[at + 2:] if random.random() < 0.6 else word[at + 1:])
    return ' '.join(words)


PREFACES = ['quick one: ', 'Hi, ', 'hey - ', 'Preparing a call. ', "I'm writing the weekly report: ", 'For the meeting tomorrow - ',
            'Morning! ', 'My boss wants to know: ', 'sorry, silly question, ', 'Before I forget: ', 'Could you check: ', 'pls tell me ',
            "I'm putting together a mailing. ", 'We are planning the route. ', 'Just curious, ', 'Need this fast: ']
SIMPLE = re.compile(r'(.*?(?:called|is|tag|category|' r'[a-z_ .]+))\s', re.I)


def typeOf(item):
    """Items of one type can be exchanged. A field is one of its record and type; a value one of its record and field."""
    kind, text = item['kind'], item['text']
    if kind == 'field':
        entity, rest = text.split(' ', 1)
        return f'field {entity} {rest.rsplit(", a ", 1)[-1]}'
    if kind == 'value': return f"value {item['type']}"
    return None


def exchanged(row, pools, chance):
    """The same question about other names, values and fields."""
    question = row['question']
    items = [dict(item) for item in row['items']]
    used = {int(token[1:]) for token in row['tokens'] or [] if token.startswith('@')}
    for i, item in enumerate(items):
        type_ = typeOf(item)
        if not type_ or not item['said'] or random.random() > chance: continue
        # the words must be there once, and belong to this item alone
        shared = sum(1 for other in items if other['said'] and (item['said'] in other['said'] or other['said'] in item['said']))
        if shared > 1: continue
        found = list(re.finditer(r'(?<!\w)' + re.escape(item['said']) + r'(?!\w)', question, re.I))
        if len(found) != 1: continue
        said, text = random.choice(pools[type_])
        if text in [other['text'] for other in items]: continue
        start, end = found[0].span()
        if question[start].isupper() and said: said = said[0].upper() + said[1:]
        question = question[:start] + said + question[end:]
        item['said'], item['text'] = said.lower(), text
    return {**row, 'question': question, 'items': items}


def absent(row, pools):
    """The same question about a value that the account does not have: it has no answer."""
    items = row['items']
    used = [i for i in {int(token[1:]) for token in row['tokens'] or [] if token.startswith('@')} if items[i]['kind'] == 'value' and items[i]['said']]
    random.shuffle(used)
    for i in used:
        said = items[i]['said']
        found = list(re.finditer(r'(?<!\w)' + re.escape(said) + r'(?!\w)', row['question'], re.I))
        others = [item for k, item in enumerate(items) if k != i and item['said'] != said]
        if len(found) != 1: continue
        other, _ = random.choice(pools[typeOf(items[i])])
        if any(word in f"{item['said']} {item['text']}".lower() for item in others for word in other.lower().split() if len(word) > 3): continue
        start, end = found[0].span()
        if row['question'][start].isupper(): other = other[0].upper() + other[1:]
        return {**row, 'question': row['question'][:start] + other + row['question'][end:], 'items': others, 'tokens': None}
    return None


@functools.lru_cache(300_000)
def idsOf(tokenizer, text):
    """An item's text is in many rows, and splitting it took most of the time of the workers."""
    return tokenizer.encode(text, add_special_tokens=False).ids


def encoded(tokenizer, row, train):
    """Ids, types, spans of items, and the tokens, with the items in another order while training."""
    question, items, tokens = row['question'][:400], row['items'], row['tokens'] or [REFUSED]
    order = list(range(len(items)))
    if train:
        used = {int(token[1:]) for token in tokens if token.startswith('@')}
        order = [i for i in order if i in used or random.random() > 0.15]
        random.shuffle(order)
        question = misspelt(question, random.choice([0, 0, 0.08]))
        if random.random() < 0.12: question = random.choice(PREFACES) + question
        if random.random() < 0.15: question = question.lower()
        if random.random() < 0.1: question = question.rstrip('?. ')
    ids = [101] + tokenizer.encode(question, add_special_tokens=False).ids[:96] + [102]
    types = [0] * len(ids)
    spans, kept = [], {}
    for i in order:
        item = items[i]
        said = '' if item['said'] in ('', item['text']) else f" ({item['said']})"
        own = idsOf(tokenizer, f"{item['kind']} {item['text']}{said}")[:20] + [102]
        if len(ids) + len(own) > MAX_INPUT: break
        kept[i] = len(spans)
        spans.append((len(ids), len(ids) + len(own)))
        ids += own
        types += [1] * len(own)
    out = []
    for token in tokens:
        if token.startswith('@'):
            at = kept.get(int(token[1:]))
            if at is None: return None
            out.append(('@', at))
        else: out.append(('w', token))
    return ids, types, spans, out


def batchOf(rows, words, device):
    width = max(len(row[0]) for row in rows)
    count = max(1, max(len(row[2]) for row in rows))
    length = max(len(row[3]) for row in rows) + 1
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    spans = torch.zeros(len(rows), count, width)
    hasItem = torch.zeros(len(rows), count, dtype=torch.bool)
    out = torch.full((len(rows), length), -100, dtype=torch.long)
    for k, (own, ownTypes, ownSpans, tokens) in enumerate(rows):
        ids[k, :len(own)] = torch.tensor(own)
        types[k, :len(own)] = torch.tensor(ownTypes)
        mask[k, :len(own)] = 1
        for i, (start, end) in enumerate(ownSpans):
            spans[k, i, start:end] = 1 / (end - start)
            hasItem[k, i] = True
        line = [len(words) + at if kind == '@' else words.get(at, words['?']) for kind, at in tokens] + [words[END]]
        out[k, :len(line)] = torch.tensor(line)
    written = torch.full_like(out, words['<'])
    written[:, 1:] = out[:, :-1].clamp(min=0)
    return [one.to(device) for one in (ids, types, mask, spans, hasItem, written, out)]


@torch.no_grad()
def beams(model, rows, words, device, size=12):
    """The likeliest lines of tokens of each row, with their log probabilities."""
    model.eval()
    result = []
    names = {at: word for word, at in words.items()}
    for start in range(0, len(rows), 64):
        part = rows[start:start + 64]
        ids, types, mask, spans, hasItem, *_ = batchOf(part, words, device)
        with torch.autocast(device if isinstance(device, str) else device.type, torch.bfloat16):
            read, items = model.encode(ids, types, mask, spans)
        n, count = len(part), len(words)
        again = lambda x, dim=0: x.repeat_interleave(size, dim)
        read, items, mask, hasItem = again(read, 2), again(items), again(mask), again(hasItem)
        past = model.begin(n * size)
        lines = torch.full((n, size, 1), words['<'], dtype=torch.long, device=device)
        scores = torch.full((n, size), -1e5, device=device)
        scores[:, 0] = 0
        done = [[] for _ in range(n)]
        for place in range(MAX_OUTPUT):
            with torch.autocast(device if isinstance(device, str) else device.type, torch.bfloat16):
                logits, past = model.decode(lines[:, :, -1].reshape(-1, 1), torch.tensor([place], device=device), past, read, mask, items, hasItem)
            total = scores.unsqueeze(-1) + torch.log_softmax(logits[:, 0], -1).reshape(n, size, -1)
            vocabulary = total.shape[-1]
            top = total.reshape(n, -1).topk(2 * size, -1)
            before, nextScores, tokens = [], [], []
            for k in range(n):
                own = []
                for value, index in zip(top.values[k].tolist(), top.indices[k].tolist()):
                    beam, token = divmod(index, vocabulary)
                    if token == words[END]: done[k].append((value, lines[k, beam, 1:].tolist()))
                    elif len(own) < size: own.append((beam, token, value))
                before.append([k * size + beam for beam, _, _ in own])
                tokens.append([token for _, token, _ in own])
                nextScores.append([value for _, _, value in own])
            order = torch.tensor(before, device=device).reshape(-1)
            past = past[:, :, order]
            lines = torch.cat([lines.reshape(n * size, -1)[order].reshape(n, size, -1), torch.tensor(tokens, device=device).unsqueeze(-1)], -1)
            scores = torch.tensor(nextScores, device=device)
            if all(len(done[k]) >= size and sorted(v for v, _ in done[k])[-size] > max(nextScores[k]) for k in range(n)): break
        for k in range(n):
            best = sorted(done[k], reverse=True)[:size]
            result.append([(value, [names[t] if t < count else f'@{t - count}' for t in line]) for value, line in best])
    return result


class Reads(nn.Module):
    """The first half of the parser as the service runs it: one question, its items by where they begin and end."""
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, token_type_ids, attention_mask, spans):
        return self.model.encode(input_ids, token_type_ids, attention_mask, spans)


class Writes(nn.Module):
    """The second half: the next token of several lines."""
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, written, place, past, read, mask, items):
        scores, after = self.model.decode(written, place, past, read, mask, items, torch.ones_like(items[:, :, 0]))
        return torch.log_softmax(scores[:, -1], -1), after


def export(model, words, folder, name):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    model = model.float().cpu().eval()
    ids = torch.ones(1, 16, dtype=torch.long)
    spans = torch.zeros(1, 3, 16)
    spans[0, 0, 4:6] = spans[0, 1, 6:8] = spans[0, 2, 8:10] = 0.5
    common = dict(opset_version=17, dynamo=False)
    inputs = ['input_ids', 'token_type_ids', 'attention_mask', 'spans']
    torch.onnx.export(
        Reads(model), (ids, ids * 0, ids, spans), '/tmp/reads.onnx', input_names=inputs, output_names=['read', 'items'],
        dynamic_axes={**{k: {1: 'input'} for k in inputs[:3]}, 'spans': {1: 'items', 2: 'input'}, 'read': {4: 'input'}, 'items': {1: 'items'}},
        **common)
    with torch.no_grad(): read, items = model.encode(ids, ids * 0, ids, spans)
    written = torch.full((2, 1), words['<'])
    past = torch.zeros(len(model.blocks), 2, 2, HEADS, 3, WIDTH // HEADS)
    torch.onnx.export(
        Writes(model), (written, torch.tensor([3]), past, read, ids, items), '/tmp/writes.onnx',
        input_names=['written', 'place', 'past', 'read', 'mask', 'items'], output_names=['scores', 'after'],
        dynamic_axes={'written': {0: 'lines'}, 'past': {2: 'lines', 4: 'length'}, 'read': {4: 'input'}, 'mask': {1: 'input'},
                      'items': {1: 'items'}, 'scores': {0: 'lines', 1: 'choices'}, 'after': {2: 'lines', 4: 'length1'}},
        **common)
    for half in ('reads', 'writes'):
        path = f'{folder}/{name}.{half}.int8.onnx'
        quantize_dynamic(f'/tmp/{half}.onnx', path, weight_type=QuantType.QInt8, per_channel=True)
        size = os.path.getsize(path)
        print(path, size, flush=True)
        if size > 15 << 20:  # what comes back in one file
            whole = open(path, 'rb').read()
            for part, at in enumerate(range(0, size, 15 << 20)): open(f'{path}.{part}', 'wb').write(whole[at:at + (15 << 20)])
            os.remove(path)
    json.dump(list(words), open(f'{folder}/{name}.words.json', 'w'), ensure_ascii=False)


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument('--base', required=True)
    ask.add_argument('--tokenizer', required=True)
    ask.add_argument('--data', required=True)
    ask.add_argument('--held', default='')
    ask.add_argument('--out', required=True)
    ask.add_argument('--depth', type=int, default=4)
    ask.add_argument('--seconds', type=float, default=150)
    ask.add_argument('--batch', type=int, default=192)
    ask.add_argument('--rate', type=float, default=1e-4)
    ask.add_argument('--seed', type=int, default=1)
    ask.add_argument('--workers', type=int, default=14)
    ask.add_argument('--export', action='store_true')
    ask.add_argument('--name', default='parser')
    options = ask.parse_args()
    from tokenizers import Tokenizer
    tokenizer = Tokenizer.from_file(options.tokenizer)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    rows = [json.loads(line) for line in lzma.open(options.data, 'rt')]
    held = set(filter(None, options.held.split(',')))
    train = [row for row in rows if row['set'] not in held and row.get('weight', 1) > 0]
    test = [row for row in rows if row['set'] in held]
    counts = defaultdict(int)
    for row in train:
        for token in row['tokens'] or []:
            if not token.startswith('@'): counts[token] += 1
    words = {word: at for at, word in enumerate(['<', END, '?', REFUSED] + sorted(w for w, n in counts.items() if n > 1 and w != REFUSED))}
    pools = defaultdict(set)
    for row in train:
        for item in row['items']:
            type_ = typeOf(item)
            if type_ and item['said'] and not item['said'].isdigit(): pools[type_].add((item['said'], item['text']))
    pools = {name: sorted(values) for name, values in pools.items()}
    print(len(train), 'rows to learn,', len(test), 'held out,', len(words), 'words,', len(pools), 'pools', flush=True)

    weights = {k: v for k, v in weights_of(options.base).items() if not k.startswith(('qa_outputs', 'score'))}
    layers = 1 + max(int(k.split('.')[3]) for k in weights if k.startswith('bert.encoder.layer.'))
    model = Parser(layers, len(words), options.depth).to(device)
    missing, unexpected = model.load_state_dict(weights, strict=False)
    lost = [name for name in missing if name.startswith('bert.') and 'position_ids' not in name]
    if lost or unexpected: raise ValueError(f'{options.base}: missing {lost}, unexpected {unexpected}')
    fresh = [p for name, p in model.named_parameters() if not name.startswith('bert.')]
    optimizer = torch.optim.AdamW([
        {'params': model.bert.parameters(), 'lr': options.rate, 'peak': options.rate},
        {'params': fresh, 'lr': 5 * options.rate, 'peak': 5 * options.rate},
    ], weight_decay=0.01, fused=device == 'cuda')

    from torch.utils.data import DataLoader, Dataset, get_worker_info

    class Rows(Dataset):
        def __len__(self): return 10 ** 6
        def __getitem__(self, at):
            while True:
                row = random.choices(train, weights=None)[0]
                if row.get('weight', 1) < random.random(): continue
                missing = absent(row, pools) if random.random() < 0.12 else None
                if missing: row = missing
                elif random.random() < 0.7: row = exchanged(row, pools, random.choice([0.5, 1]))
                one = encoded(tokenizer, row, True)
                if one: return one

    def seeded(worker):
        random.seed(options.seed * 1000 + worker)
        torch.set_num_threads(1)

    loader = DataLoader(Rows(), batch_size=options.batch, num_workers=options.workers, worker_init_fn=seeded,
                        collate_fn=lambda one: [x for x in batchOf(one, words, 'cpu')], prefetch_factor=8)
    began = time.time()
    total, losses, seen = options.seconds, [], 0
    for step, batch in enumerate(loader):
        done = (time.time() - began) / total
        if done >= 1: break
        scale = min(1, done / 0.05) * (0.5 + 0.5 * math.cos(math.pi * done))
        for group in optimizer.param_groups: group['lr'] = group['peak'] * max(scale, 0.01)
        model.train()
        ids, types, mask, spans, hasItem, written, out = [x.to(device, non_blocking=True) for x in batch]
        with torch.autocast(device if isinstance(device, str) else device.type, torch.bfloat16):
            read, items = model.encode(ids, types, mask, spans)
            places = torch.arange(written.shape[1], device=device)
            logits, _ = model.decode(written, places, model.begin(len(ids)), read, mask, items, hasItem)
        logits = logits.float()
        keep = out >= 0
        logp = torch.log_softmax(logits[keep], -1)
        gold = out[keep]
        own = -logp.gather(1, gold.unsqueeze(1)).squeeze(1)
        smooth = -logp.clamp(min=-30).mean(1)
        loss = (0.97 * own + 0.03 * smooth).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(own.mean().detach())
        seen += len(ids)
        if step % 200 == 0: print(f'{time.time() - began:.0f} s, step {step}, {seen} seen, loss {torch.stack(losses[-200:]).mean():.3f}', flush=True)

    os.makedirs(options.out, exist_ok=True)
    usable = [(row, encoded(tokenizer, row, False)) for row in test]
    usable = [(row, one) for row, one in usable if one]
    found = beams(model, [one for _, one in usable], words, device)
    first = among = data = refused = wrongly = 0
    with open(f'{options.out}/{options.name}.beams.jsonl', 'w') as file:
        for (row, _), lines in zip(usable, found):
            file.write(json.dumps({'set': row['set'], 'question': row['question'], 'tokens': row['tokens'], 'beams': [[round(v, 3), t] for v, t in lines]}) + '\n')
            if row['tokens']:
                data += 1
                first += bool(lines) and lines[0][1] == row['tokens']
                among += any(t == row['tokens'] for _, t in lines)
                refused += bool(lines) and lines[0][1] == [REFUSED]
            elif row['about'] != 'data': wrongly += bool(lines) and lines[0][1] != [REFUSED]
    others = sum(row['about'] != 'data' for row, _ in usable)
    print(f'{options.name}: of {data} held out: {first} first, {among} among the beams, {refused} refused; {wrongly} of {others} others read', flush=True)
    if options.export: export(model, words, options.out, options.name)


if __name__ == '__main__': main()
