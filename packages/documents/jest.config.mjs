import preset from '../../jest.preset.mjs';

// Parser processes are started and killed, also where other work leaves them a tenth of the machine.
export default { ...preset, testTimeout: 300_000 };
