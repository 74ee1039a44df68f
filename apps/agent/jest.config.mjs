import preset from '../../jest.engines.mjs';
import { shortened } from '../../jest.systems.mjs';

export const fullRuns = ['tests/approvals-model.test.ts', 'tests/hostile-tool-servers.test.ts'];

export default shortened(preset, fullRuns);
