import { describe, expect, it } from '@jest/globals';
import { AppError, invalidRequest } from '#errors/app-error';
import { inField } from '#errors/in-field';

const failWith = (error: unknown) => () => {
  throw error;
};

describe('inField', () => {
  it('returns the value', () => {
    expect(inField('model', () => 'm')).toBe('m');
  });

  it('adds the field to an error without one', () => {
    const error = new AppError('invalid_request', 'There is no model "x".', { details: { known: ['y'] } });
    expect(() => inField('model', failWith(error))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: 'model: There is no model "x".',
        details: { issues: [{ path: 'model', message: 'There is no model "x".' }] },
      }),
    );
  });

  it('passes other errors through', () => {
    const errors = [
      invalidRequest([{ path: 'other', message: 'is wrong' }]),
      new AppError('not_found', 'Gone.'),
      new Error('x'),
    ];
    for (const error of errors) expect(() => inField('model', failWith(error))).toThrow(error);
  });
});
