import { useEffect, useRef, useState } from 'react';

const NEAR_PX = 80;
/** The distance to the end from which a button leads back. */
const FAR_PX = 300;

const distanceToEnd = () => {
  const { scrollHeight, clientHeight } = document.documentElement;
  return scrollHeight - clientHeight - scrollY;
};

const scrollToEnd = () => scrollTo({ top: document.documentElement.scrollHeight });

/**
 * Keeps the end of the page visible while an answer grows, until the reader scrolls up. `version`
 * changes with each addition. Returns whether the end is far away.
 */
export function useFollow(
  isActive: boolean,
  version: unknown,
): { readonly isFar: boolean; readonly toEnd: () => void } {
  const follows = useRef(true);
  const [isFar, setIsFar] = useState(false);
  useEffect(() => {
    const onScroll = () => setIsFar(distanceToEnd() > FAR_PX);
    onScroll();
    const observer = new ResizeObserver(onScroll);
    observer.observe(document.body);
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('scroll', onScroll);
    };
  }, []);
  useEffect(() => {
    if (!isActive) return;
    follows.current = true;
    let lastTop = scrollY;
    const onScroll = () => {
      const distance = distanceToEnd();
      // A page that gets shorter moves up too, but its end stays visible.
      follows.current = distance < 2 || (scrollY >= lastTop && distance < NEAR_PX);
      lastTop = scrollY;
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [isActive]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each addition.
  useEffect(() => {
    if (isActive && follows.current) scrollToEnd();
  }, [isActive, version]);
  return { isFar, toEnd: scrollToEnd };
}
