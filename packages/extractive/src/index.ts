export { BUILTIN_MODEL_ID } from '#builtin-model';
export { createExtractiveModel } from '#extractive-model';
