import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { ToolServerForm } from '#pages/tools/tool-server-form.tsx';
import { ToolServerItem } from '#pages/tools/tool-server-item.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';

/** The MCP servers and HTTP APIs whose tools agents can use. */
export default function ToolServersPage() {
  const [isAdding, setIsAdding] = useState(false);
  const paging = usePaged(['tool-servers', 'list'], (page, options) =>
    lectern().toolServers.list({ page, limit: 20 }, options),
  );
  return (
    <>
      <PageHead title="Tools" intro="MCP servers and HTTP APIs whose tools agents can use.">
        <Button isPrimary onClick={() => setIsAdding(true)}>
          Add server
        </Button>
      </PageHead>
      <Listing
        paging={paging}
        what="tool servers"
        empty={
          <Empty title="No tool servers yet">
            <p>Add an MCP server or an HTTP API, then enable the tools that agents may use.</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map((server) => (
              <ToolServerItem key={server.id} server={server} />
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title="Add a tool server" isOpen={isAdding} onOpenChange={setIsAdding}>
        <ToolServerForm onDone={() => setIsAdding(false)} />
      </Sheet>
    </>
  );
}
