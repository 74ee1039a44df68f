import { writeSteps } from '#autoscale/report';

process.stdout.write(`${writeSteps()}\n`);
