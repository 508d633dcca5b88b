import { useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { Dialog } from '../parts/dialog';
import { Field, Form, Select, useAction } from '../parts/form';
import { Icon } from '../parts/icon';
import { Loaded, reason } from '../parts/loaded';
import { type Result, useQuery } from '../query';
import { notify } from '../state/notices';
import { cache } from '../state/session';
import { count, t } from '../words';

type Study = Schemas['Study'];
export type Folders = Result<{ folders: { folder: string[]; studies: number }[] }>;

export const useFolders = (org: string): Folders => useQuery({
  key: ['folders', org], load: (signal) => ask(api.GET('/api/dashboard/organizations/{orgId}/folders', { params: { path: { orgId: org } }, signal })),
});

/** What a folder is called: names of an outer folder come first. */
export const folderName = (folder: readonly string[]): string => folder.join(' / ');

const changed = () => Promise.all(['folders', 'studies', 'study', 'trash'].map((name) => cache.invalidateQueries({ queryKey: [name] })));

/** Makes, renames and removes folders. */
export function FolderDialog({ org, folders, mayRename, onClose }: { org: string; folders: Folders; mayRename: boolean; onClose: () => void }) {
  const path = { params: { path: { orgId: org } } };
  return (
    <Dialog title={t('folders')} onClose={onClose}>
      <Form inline reset submit={t('create')} onSubmit={async ({ name = '' }) => {
        await ask(api.POST('/api/dashboard/organizations/{orgId}/folders', { ...path, body: { folder: [name.trim()] } }));
        await changed();
      }}>
        <Field label={t('folderNew')} name="name" maxLength={100} autofocus />
      </Form>
      <Loaded of={folders} what={t('whatFolders')} rows={3}>
        {({ folders: all }) => all.length === 0 ? <p class="soft">{t('foldersNone')}</p> : <ul class="folder-list">{all.map((one) => <FolderRow key={folderName(one.folder)} org={org} folder={one.folder} studies={one.studies} mayRename={mayRename} />)}</ul>}
      </Loaded>
    </Dialog>
  );
}

function FolderRow({ org, folder, studies, mayRename }: { org: string; folder: readonly string[]; studies: number; mayRename: boolean }) {
  const [renaming, setRenaming] = useState(false);
  const { busy, failure, run } = useAction();
  const name = folderName(folder);
  const params = { path: { orgId: org } };
  const remove = () => run(async () => {
    await ask(api.DELETE('/api/dashboard/organizations/{orgId}/folders', { params: { ...params, query: { folder: JSON.stringify(folder) } } }));
    notify(t('folderRemoved', { name }));
    await changed();
  });
  return (
    <li>
      {renaming ? (
        <Form inline submit={t('save')} onSubmit={async ({ to = '' }) => {
          await ask(api.PATCH('/api/dashboard/organizations/{orgId}/folders', { params, body: { folder: [...folder], to: [...folder.slice(0, -1), to.trim()] } }));
          setRenaming(false);
          await changed();
        }}>
          <Field label={t('folderRename', { name })} name="to" value={folder.at(-1) ?? ''} maxLength={100} autofocus />
        </Form>
      ) : (
        <>
          <span class="words" dir="auto">{name}</span><span class="soft small">{count('folderStudies', studies)}</span>
          {mayRename && (
            <>
              <button type="button" class="quiet" aria-label={t('folderRename', { name })} onClick={() => setRenaming(true)}>{t('rename')}</button>
              <button type="button" class="quiet square" disabled={busy} aria-label={t('folderRemove', { name })} title={t('folderRemoveText')} onClick={() => void remove()}><Icon name="cross" /></button>
            </>
          )}
        </>
      )}
      {failure && <p class="wrong small" role="alert">{reason(failure)}</p>}
    </li>
  );
}

interface ChosenProps {
  studies: readonly Study[];
  folders: Folders;
  onDone: () => void;
}

/** What can be done with the studies that are chosen: into a folder, or into the trash. Both can be undone. */
export function ChosenStudies({ studies, folders, onDone }: ChosenProps) {
  const { busy, failure, run } = useAction();
  // each calls do for one study after another, and says how many were done where one fails
  const each = async (of: readonly Study[], work: (study: Study) => Promise<unknown>) => {
    for (const study of of) await work(study);
  };
  const put = (study: Study, folder: readonly string[]) => ask(api.PATCH('/api/dashboard/studies/{studyRef}', { params: { path: { studyRef: study.id } }, body: { folder: [...folder] } }));
  const move = (to: string) => run(async () => {
    const folder = JSON.parse(to) as string[];
    try {
      await each(studies, (study) => put(study, folder));
      notify(count('studiesMoved', studies.length, { name: folderName(folder) || t('folderNone') }), async () => {
        await each(studies, (study) => put(study, study.folder));
        await changed();
      });
      onDone();
    } finally {
      await changed();
    }
  });
  const discard = () => run(async () => {
    try {
      await each(studies, ({ id }) => ask(api.DELETE('/api/dashboard/studies/{studyRef}', { params: { path: { studyRef: id } } })));
      notify(count('studiesTrashed', studies.length), async () => {
        await each(studies, ({ id }) => ask(api.POST('/api/dashboard/trash/{studyRef}/restore', { params: { path: { studyRef: id } } })));
        await changed();
      });
      onDone();
    } finally {
      await changed();
    }
  });
  const places = [['', t('moveTo')], ['[]', t('folderNone')], ...(folders.data?.folders ?? []).map(({ folder }) => [JSON.stringify(folder), folderName(folder)] as const)] as const;
  return (
    <fieldset class="selection on" aria-label={t('chosenStudies')}>
      <p role="status">{count('studiesChosen', studies.length)}</p>
      <Select label={t('moveTo')} quiet value="" disabled={busy} options={places} onChange={(to) => { if (to) void move(to); }} />
      <button type="button" disabled={busy} onClick={() => void discard()}>{t('toTrash')}</button>
      <button type="button" class="quiet" onClick={onDone}>{t('chooseNone')}</button>
      {failure && <p class="wrong" role="alert">{reason(failure)}</p>}
    </fieldset>
  );
}
