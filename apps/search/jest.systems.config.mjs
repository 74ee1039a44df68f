import { systemsConfig } from '../../jest.systems.mjs';
import { fullRuns } from './jest.config.mjs';

export default systemsConfig({ fullRuns });
