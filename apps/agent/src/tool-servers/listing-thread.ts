import { parentPort, workerData } from 'node:worker_threads';
import { schemaProblem } from '#tool-servers/check-input';
import type { ListingWork } from '#tool-servers/check-listing';
import type { Listing } from '#tool-servers/listed-tool';
import { parseOpenApi } from '#tool-servers/openapi/parse-openapi';
import { DocumentProblem } from '#tool-servers/openapi/references';

/** Notes why tools cannot be used. */
const withProblems = ({ tools, notes }: Listing): Listing => ({
  notes,
  tools: tools.map((tool) => {
    const problem = tool.problem ?? schemaProblem(tool.inputSchema);
    return problem === undefined ? tool : { ...tool, problem };
  }),
});

function work(given: ListingWork): unknown {
  try {
    return { listing: withProblems('document' in given ? parseOpenApi(given.document) : given.listing) };
  } catch (error) {
    return { problem: error instanceof DocumentProblem ? error.message : 'The list of tools is malformed.' };
  }
}

parentPort?.postMessage(work(workerData));
