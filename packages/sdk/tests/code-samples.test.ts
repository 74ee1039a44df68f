import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { createDocument, operations } from '@lectern/api-spec';
import ts from 'typescript';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const INDEX = fileURLToPath(new URL('../src/index.ts', import.meta.url));

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  paths: { '@lectern/sdk': [INDEX] },
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

interface Sampled {
  readonly operationId?: string;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[];
}

/** The TypeScript sample of each operation, by the name of its file. */
function samples(): ReadonlyMap<string, string> {
  const found = Object.values(createDocument(operations).paths).flatMap((methods) => Object.values(methods));
  return new Map(
    found.flatMap(({ operationId, 'x-codeSamples': all = [] }: Sampled) =>
      all
        .filter(({ lang }) => lang === 'typescript')
        .map(({ source }) => [`${FOLDER}sample-${operationId}.ts`, source] as const),
    ),
  );
}

it('has a method with matching arguments for each sample in the API reference', () => {
  const files = samples();
  expect(files.size).toBeGreaterThan(150);
  const host = ts.createCompilerHost(OPTIONS);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, ...more) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, ...more) : ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  const errors = [...files.keys()].flatMap((name) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${name.slice(FOLDER.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
  expect(errors).toEqual([]);
});
