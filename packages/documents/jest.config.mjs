import preset from '../../jest.preset.mjs';

// Tests start and kill parser processes, which is slow on a busy machine.
export default { ...preset, testTimeout: 300_000 };
