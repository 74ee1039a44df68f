import { pythonName, type SdkResource } from '@lectern/api-spec';
import { type Located, renderMethod, renderSearchAll } from '#methods';
import { className } from '#names';
import type { Schemas } from '#schema';
import { docstring } from '#text';

const HEADER = `"""The methods of the client, by resource. Generated from the OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncGenerator, Dict, List, Literal, Mapping, Sequence

from .._options import NOT_GIVEN, CallOptions, NotGiven, given
from ._client import AsyncClient
from ._extras import AsyncFilesExtras, AsyncResource, AsyncSyncExtras
from ._paged import AsyncPaged
from ._streams import AsyncEventStream, AsyncReplyStream, AsyncRunStream

if TYPE_CHECKING:
    from .. import types
`;

type Resources = Readonly<Record<string, SdkResource>>;

export type Operations = ReadonlyMap<string, Located>;

function renderClass(name: string, resource: SdkResource, operations: Operations, schemas: Schemas): readonly string[] {
  const { description, methods, nested = {}, extras = 'AsyncResource' } = resource;
  const located = (id: string): Located => {
    const found = operations.get(id);
    if (found === undefined) throw new TypeError(`The operation ${id} does not exist.`);
    return found;
  };
  const rendered = Object.entries(methods).map(([method, id]) => renderMethod(method, located(id), schemas));
  if (name === 'search') rendered.push(renderSearchAll(located('searchDocuments'), schemas));
  const names = Object.keys(nested);
  const init = [
    '    def __init__(self, client: AsyncClient) -> None:',
    '        super().__init__(client)',
    ...names.map((one) => `        self.${pythonName(one)} = Async${className(one)}(client)`),
  ];
  const members = [...(names.length === 0 ? [] : [init]), ...rendered];
  return [
    ...Object.entries(nested).flatMap(([key, inner]) => [...renderClass(key, inner, operations, schemas), '', '']),
    `class Async${className(name)}(${extras}):`,
    ...docstring([description], '    '),
    ...members.flatMap((lines) => ['', ...lines]),
  ];
}

/** Renders the asynchronous classes of all resources. */
export function renderResources(resources: Resources, operations: Operations, schemas: Schemas): string {
  const classes = Object.entries(resources).map(([name, resource]) =>
    renderClass(name, resource, operations, schemas).join('\n'),
  );
  return `${[HEADER, ...classes].join('\n\n')}\n`;
}

/** Replaces the marked lines of the client's module by its resources. */
export function fillResources(module: string, resources: Resources): string {
  const names = Object.keys(resources);
  const imported = names.map((name) => `    Async${className(name)},`).sort();
  return module
    .replace('    # <imports>', imported.join('\n'))
    .replace(
      '        # <resources>',
      names.map((name) => `        self.${pythonName(name)} = Async${className(name)}(client)`).join('\n'),
    );
}
