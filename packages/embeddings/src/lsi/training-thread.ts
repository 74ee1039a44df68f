import { parentPort } from 'node:worker_threads';
import { learnLsi } from '#lsi/learn-lsi';
import { lsiToBytes } from '#lsi/lsi-bytes';
import { LsiSample } from '#lsi/lsi-sample';
import type { TrainingRequest, TrainingResponse } from '#lsi/training-messages';

const sample = new LsiSample();

parentPort?.on('message', (request: TrainingRequest) => parentPort?.postMessage(answer(request)));

function answer(request: TrainingRequest): TrainingResponse {
  if (request.kind === 'passages') {
    const more = request.passages.every((passage) => sample.add(passage));
    return { kind: 'added', more };
  }
  const model = learnLsi(sample);
  return { kind: 'learned', bytes: lsiToBytes(model), passages: model.passages, terms: model.terms.length };
}
