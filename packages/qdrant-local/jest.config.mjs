import preset from '../../jest.preset.mjs';

// Servers are started and killed, and random queries compared, also where other work leaves them a tenth of the machine.
export default { ...preset, testTimeout: 300_000 };
