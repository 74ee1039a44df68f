import { expect, it } from '@jest/globals';
import { createModelThread } from '#onnx/model-thread';
import type { ThreadSettings } from '#onnx/thread-messages';

it('rejects work whose thread is closed before it has started', async () => {
  const settings = Promise.withResolvers<ThreadSettings>();
  const thread = createModelThread(() => settings.promise);
  const work = thread.run({ kind: 'vectors', texts: ['holiday'] }, { isUrgent: true });
  expect(thread.isBusy).toBe(true);
  const closed = thread.close();
  const model = { folder: '/none', weights: '/none', maxTokens: 8, pooling: 'mean', isPoolingChosen: false } as const;
  settings.resolve({ model: { ...model, padToken: 0 }, modelsDir: undefined, threads: 1 });
  await expect(work).rejects.toMatchObject({ code: 'cancelled' });
  await closed;
  expect(thread.isBusy).toBe(false);
});
