import { runContract } from '#contract/run-contract';
import { runCommand } from '#run-command';

const USAGE = `Usage: npm run test:contract

Starts Lectern and checks it against its OpenAPI document: Schemathesis sends generated requests, and a client that
openapi-python-client generates creates and lists a collection. Needs Python 3.10 or later with venv, and a package index.`;

await runCommand(USAGE, (_args, print, signal) => runContract(print, signal));
