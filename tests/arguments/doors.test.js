/** The public function's name in front of a message: once, and of errors that are the package's own alone. */
import { describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { named, namedAsync, namedEach, rangeError, refusal, typeError, namePart } from '../../js/arguments/errors.js';
import { expectError } from '../support/assertions.js';

const refuse = () => rangeError('axis must be 0, got 1');

/** The error of a call, or of a promise. */
async function thrownBy(work) {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a door', () => {
  test('names what a check throws, and keeps its class', () => {
    expectError(() => named('door', refuse), RangeError, 'door: axis must be 0, got 1');
    expectError(() => named('door', () => typeError('no list')), TypeError, 'door: no list');
    const other = () => {
      throw refusal(new Error('call await init() first'));
    };
    expectError(() => named('door', other), Error, 'door: call await init() first');
  });

  test('gives what the work gives', async () => {
    expect(named('door', () => 3)).toBe(3);
    expect(await namedAsync('door', async () => 3)).toBe(3);
    expect(namePart('part', () => 3)).toBe(3);
  });

  test('lets foreign errors pass as they are', async () => {
    for (const foreign of [new TypeError('own'), new DOMException('stopped', 'AbortError'), 'text', null, undefined]) {
      const fail = () => {
        throw foreign;
      };
      expect(await thrownBy(() => named('door', fail))).toBe(foreign);
      expect(await thrownBy(() => namedAsync('door', fail))).toBe(foreign);
      expect(await thrownBy(() => named('door', () => namePart('part', fail)))).toBe(foreign);
    }
    expect(
      String(
        await thrownBy(() =>
          named('door', () => {
            throw new TypeError('own');
          }),
        ),
      ),
    ).toBe('TypeError: own');
  });

  test('leaves what another door has named, even a second time', () => {
    const inner = () => named('inner', refuse);
    expectError(() => named('outer', inner), RangeError, 'inner: axis must be 0, got 1');
    const again = () => named('outer', () => namePart('part', inner));
    expectError(again, RangeError, 'inner: axis must be 0, got 1');
  });

  test('names promises and generators', async () => {
    const rejected = await thrownBy(() => namedAsync('door', async () => refuse()));
    expect([rejected.constructor, rejected.message]).toEqual([RangeError, 'door: axis must be 0, got 1']);
    const seen = [];
    const ended = await thrownBy(async () => {
      const pieces = namedEach('door', async function* () {
        yield 1;
        refuse();
      });
      for await (const piece of pieces) seen.push(piece);
    });
    expect([seen, ended.message]).toEqual([[1], 'door: axis must be 0, got 1']);
  });

  test('names the part of a call behind itself', async () => {
    const message = 'door: letterbox: axis must be 0, got 1';
    expectError(() => named('door', () => namePart('letterbox', refuse)), RangeError, message);
  });

  test('keeps the stack of the fault, with the whole message, and the cause', async () => {
    const cause = new Error('of the system');
    const fail = () => {
      throw refusal(new RangeError('no file', { cause }));
    };
    const error = await thrownBy(() => named('door', fail));
    expect(error.stack.startsWith('RangeError: door: no file\n    at fail ')).toBe(true);
    expect(error.stack).toContain(fileURLToPath(import.meta.url));
    expect(error.cause).toBe(cause);
  });
});
