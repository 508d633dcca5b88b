import { useLocation, useRoute } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { useStudy } from '../query';
import { decode } from './shell';

/** The study that the page's address names, and the address's query. A former link id, or the study's UUID, becomes the link id of today there. */
export function useStudyPage() {
  const { params } = useRoute();
  const { url, route, path } = useLocation();
  const link = decode(params.link ?? '');
  const { search } = new URL(url, location.origin);
  const study = useStudy(link);
  const today = study.data?.study.linkId;
  useEffect(() => {
    if (today && today !== link) route(path.replace(/^\/p\/[^/]+/, `/p/${encodeURIComponent(today)}`) + search + location.hash, true);
  }, [today, link, path, search, route]);
  return { study, search };
}
