import preset from '../../jest.engines.mjs';

// Whole services are started, killed and waited for, also where other work leaves them a tenth of the machine.
export default { ...preset, testTimeout: 300_000 };
