/** The state in the address of the page, without a DOM. */
import { describe, expect, test } from '@jest/globals';
import { codeField } from '../../../web/dtype/bits.js';
import { flag, oneOf, readState, text, whole, wholes, writeState } from '../../../web/shared/state.js';
import { words } from '../../support/tables.js';

describe('the state in the address', () => {
  const fields = {
    layout: oneOf('NCHW', ['NCHW', 'NHWC']),
    width: whole(224, 1, 4096),
    keepdims: flag(true),
    shape: text('0, -1', 10),
    dims: wholes([2, 3], 3, 0, 9),
    code: codeField,
  };
  const initial = { layout: 'NCHW', width: 224, keepdims: true, shape: '0, -1', dims: [2, 3], code: undefined };

  test('is as at first where the address says nothing', () => {
    const state = readState(fields, new URLSearchParams(''));
    expect(state).toEqual(initial);
    expect(state.dims).not.toBe(fields.dims.initial);
    expect(writeState(fields, state, 'lens')).toBe('?panel=lens');
  });

  test('comes back from the address that it wrote', () => {
    const state = { layout: 'NHWC', width: 1, keepdims: false, shape: 'a b&c=d,e', dims: [], code: 0x3fn };
    const query = writeState(fields, state, 'lens');
    expect(query).toBe('?panel=lens&layout=NHWC&width=1&keepdims=0&shape=a+b%26c%3Dd,e&dims=&code=3f');
    expect(readState(fields, new URLSearchParams(query))).toEqual(state);
  });

  test.each(
    words(`
    layout=HWC width=0 width=4097 width=1.5 width=1e2 width= keepdims=2 shape=01234567890 dims=1,2,3,4 dims=1,,2
    dims=10 code=g code=-1
  `),
  )('ignores %s', (query) => expect(readState(fields, new URLSearchParams(query))).toEqual(initial));
});
