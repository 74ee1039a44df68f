import { type ReactNode, useState } from 'react';

/** Content that is initially collapsed on narrow screens. */
export function Collapsible({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const [isWide] = useState(() => matchMedia('(min-width: 861px)').matches);
  return (
    <details className="collapsible" open={isWide}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
