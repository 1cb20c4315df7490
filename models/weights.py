"""The weights of a quantised model, from which the trainers of the reader and the parser begin."""
import numpy
import torch


def weights_of(path):
    """The weights of a quantised model. Those of a matrix product are called after the bias that is added to it."""
    if path.endswith('.npz'):
        values = numpy.load(path)
        full = lambda name: values[name].astype('float32') * values[name[:-1] + 's'] if name.endswith('|q') else values[name]
        return {'bert.' + name.split('|')[0]: torch.tensor(full(name)) for name in values.files if not name.endswith('|s')}
    import onnx
    graph = onnx.load(path).graph
    values = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    users = {}
    for node in graph.node:
        for name in node.input: users.setdefault(name, node)
    plain = lambda name: name.split('.', 1)[1] if name.startswith(('model.', 'm.')) else name

    def full(name):
        scale, zero = values[f'{name}_scale'], values[f'{name}_zero_point']
        return (values[f'{name}_quantized'].astype('float32') - zero.astype('float32')) * scale

    weights = {plain(name): value for name, value in values.items() if value.dtype == 'float32' and name.endswith(('.weight', '.bias'))}
    for name in values:
        if name.endswith('.weight_quantized') and 'embeddings' in name: weights[plain(name[:-10])] = full(name[:-10])
    for node in graph.node:
        if node.op_type != 'MatMulInteger' or node.input[1] not in values: continue
        after = node
        while after.op_type != 'Add': after = users[after.output[0]]
        bias = next(name for name in after.input if name in values)
        weights[plain(bias)[:-4] + 'weight'] = full(node.input[1].removesuffix('_quantized')).T
    return {name: torch.tensor(numpy.ascontiguousarray(value)) for name, value in weights.items()}
