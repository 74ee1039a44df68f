export { readBeir, readDecided } from './beir.ts';
export { halfOf } from './halves.ts';
export { auroc } from './quality-of-fit.ts';
export { createRank } from './rank-documents.ts';
export { toSource } from './read-rows.ts';
