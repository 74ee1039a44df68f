import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ModelFiles } from '#onnx/model-folder';
import type { ModelThread } from '#onnx/model-thread';
import { createModelThreads } from '#onnx/model-threads';

const filesOf = (model: number): ModelFiles => ({
  folder: `/models/acme/${model}`,
  weights: `/models/acme/${model}/onnx/model.onnx`,
  maxTokens: 32,
  pooling: 'mean',
  isPoolingChosen: false,
  padToken: 0,
});

interface Stub extends ModelThread {
  isBusy: boolean;
  isClosed: boolean;
}

describe('createModelThreads', () => {
  it('has one thread per model, more than three only while they work, and never ends one that works', () => {
    const uses = fc.array(fc.record({ model: fc.nat(6), isBusy: fc.boolean() }), { maxLength: 40 });
    fc.assert(
      fc.property(uses, (all) => {
        const created: Stub[] = [];
        const createThread = (): ModelThread => {
          const stub: Stub = {
            isBusy: false,
            isClosed: false,
            run: () => Promise.reject(new Error('unused')),
            close: async () => {
              expect(stub.isBusy).toBe(false);
              stub.isClosed = true;
            },
          };
          created.push(stub);
          return stub;
        };
        const threads = createModelThreads({ threads: 1, createThread });
        for (const { model, isBusy } of all) {
          const thread = threads.of(filesOf(model));
          expect(threads.of({ ...filesOf(model) })).toBe(thread);
          const stub = created.find((other) => other === thread)!;
          expect(stub.isClosed).toBe(false);
          stub.isBusy = isBusy;
          const open = created.filter(({ isClosed }) => !isClosed);
          const busy = open.filter((other) => other.isBusy && other !== stub);
          expect(open.length).toBeLessThanOrEqual(Math.max(3, busy.length + 1));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
