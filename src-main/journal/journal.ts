import { safeParse } from '#shared/safe-parse'
import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import { journalRecordSchema, type JournalRecord, type JournalState } from '#shared/ipc/sync-questions'
import type { OutboxEntry } from '#shared/mutation/entry'
import { unknownEntry, type UnknownEntry } from '#shared/mutation/unknown'
import { SerialQueue } from '#shared/serial-queue'
import { storageFault } from '#shared/storage-words'
import { systemClock } from '#shared/time/clock'
import { flushFolder, openPrivate, privateFolder, savePrivate } from '../disk/private'
import { writeWhole } from '../disk/write-whole'
import { readLine, splitAtDamagedBreak, writeLine } from './line'

const headerSchema = z.object({ kind: z.literal('journal'), version: z.number(), epoch: z.string().min(1) })

/** Number of lines about ended entries after which the file is compacted. */
const compactAfter = 2_000

/** Number of ended entries to keep when compacting. More than the last writes a database can lose. */
const endsKept = 5_000

/** Unsent content of the file. */
export interface JournalContents {
  entries: OutboxEntry[]
  /** Complete lines from a newer version. */
  unknown: unknown[]
  /** Lines with a wrong checksum or without a record. */
  damaged: string[]
}

/**
 * The source of truth for unsent changes: an append-only file of checksummed lines, flushed before an edit counts as
 * saved. IndexedDB is only a cache of it.
 */
export class Journal {
  readonly #path: string
  #file: FileHandle | undefined
  #size = 0
  /** True if the file ends within a line, so that the next one needs a line break first. */
  #midLine = false
  #epoch = ''
  #fresh = false
  #entries = new Map<string, OutboxEntry>()
  /** Complete lines from a newer version, unchanged, by entry. */
  #unknown = new Map<string, { line: string; about: UnknownEntry }>()
  /** The last line of each ended entry, in the order of the ends. */
  #ended = new Map<string, JournalRecord & { kind: 'end' }>()
  #endedSince = 0
  #damaged: string[] = []
  #damagedFile: string | undefined
  readonly #queue = new SerialQueue()

  private constructor(
    path: string,
    private readonly now: () => number,
  ) {
    this.#path = path
  }

  /** Opens or creates the journal. Damaged lines go to a file next to it and are never dropped. Unknown lines stay. */
  static async open(path: string, now: () => number = systemClock.now): Promise<Journal> {
    const journal = new Journal(path, now)
    await privateFolder(dirname(path))
    await journal.#load()
    return journal
  }

  /** Reads a journal without changing anything on the disk. Nothing can be appended. @throws read errors */
  static async peek(path: string): Promise<Pick<Journal, 'contents'>> {
    const journal = new Journal(path, systemClock.now)
    await journal.#read()
    return journal
  }

  contents(): JournalContents {
    return {
      entries: [...this.#entries.values()],
      unknown: [...this.#unknown.values()].map(({ line }) => readLine(line)),
      damaged: [...this.#damaged],
    }
  }

  state(): JournalState {
    return {
      epoch: this.#epoch,
      fresh: this.#fresh,
      open: [...this.#entries.values()],
      ended: [...this.#ended.values()].map(({ entryId: id, made }) => ({ id, ...(made !== undefined && { made }) })),
      unknown: [...this.#unknown.values()].map(({ about }) => about),
      damaged: this.#damaged.length,
      ...(this.#damagedFile === undefined ? {} : { damagedFile: this.#damagedFile }),
    }
  }

  /** Entries of an account that have no end yet. */
  unsent(accountId?: string): number {
    let count = 0
    for (const entry of this.#entries.values()) if (accountId === undefined || entry.accountId === accountId) count++
    for (const { about } of this.#unknown.values())
      if (accountId === undefined || (about.accountId ?? accountId) === accountId) count++
    return count
  }

  /** Resolves when the records are on disk. @throws FaultError `storage`, with none of them in the journal */
  append(records: readonly JournalRecord[]): Promise<void> {
    return this.#queue.run(() => this.#append(records))
  }

  async close(): Promise<void> {
    await this.#queue.idle()
    await this.#file?.close()
    this.#file = undefined
  }

  async #append(records: readonly JournalRecord[]): Promise<void> {
    if (records.length === 0) return
    const file = this.#file
    if (!file) throw new FaultError({ code: 'storage', message: 'The journal is closed.' })
    const bytes = Buffer.from((this.#midLine ? '\n' : '') + records.map(writeLine).join(''))
    try {
      await writeWhole(file, bytes, this.#size)
      await file.datasync()
    } catch (error) {
      await file.truncate(this.#size).catch(() => undefined)
      throw storageFault(error, 'This change wasn’t saved. Everything else is unchanged.')
    }
    this.#size += bytes.length
    this.#midLine = false
    this.#fresh = false
    records.forEach((record) => this.#note(record))
    if (this.#endedSince >= compactAfter) await this.#compact()
  }

  #note(record: JournalRecord): void {
    const id = record.kind === 'entry' ? record.entry.id : record.entryId
    this.#unknown.delete(id)
    this.#ended.delete(id)
    if (record.kind === 'entry') this.#entries.set(id, record.entry)
    else {
      this.#entries.delete(id)
      this.#ended.set(id, record)
      this.#endedSince++
    }
  }

  async #load(): Promise<void> {
    await this.#read()
    if (this.#epoch === '') this.#epoch = randomUUID()
    if (this.#damaged.length > 0) await this.#setAside()
    // Compacted at every start, which removes a torn tail and the content of ended entries.
    await this.#compact()
  }

  async #read(): Promise<void> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    const lines = text?.split('\n') ?? []
    const torn = lines.pop() ?? ''
    for (const line of lines) if (line !== '') this.#readLine(line)
    if (torn !== '') this.#readLine(torn)
    this.#midLine = torn !== ''
    this.#fresh = text === undefined
  }

  #readLine(line: string): void {
    const value = readLine(line)
    const lines = value === undefined ? splitAtDamagedBreak(line) : undefined
    if (lines) {
      for (const one of lines) if (one !== '') this.#readLine(one)
      return
    }
    const header = safeParse(headerSchema, value)
    if (header.success) {
      this.#epoch = header.data.epoch
      return
    }
    const record = safeParse(journalRecordSchema, value)
    if (record.success) this.#note(record.data)
    else if (isRecord(value)) this.#keep(line, value)
    else this.#damaged.push(line)
  }

  /** Keeps a complete line of another version. The last line of an entry counts here, too. */
  #keep(line: string, value: { kind: string; entry?: unknown }): void {
    const about = unknownEntry(value.entry) ?? { id: line.slice(0, 16) }
    this.#entries.delete(about.id)
    this.#ended.delete(about.id)
    this.#unknown.delete(about.id)
    this.#unknown.set(about.id, { line, about })
  }

  async #setAside(): Promise<void> {
    this.#damagedFile = join(dirname(this.#path), `journal-damaged-${this.now()}.txt`)
    await savePrivate(this.#damagedFile, [`${this.#damaged.join('\n')}\n`])
  }

  /** Writes open entries, the last ends, and unknown lines to a temporary sibling, and renames it. */
  async #compact(): Promise<void> {
    const header = { kind: 'journal', version: 1, epoch: this.#epoch }
    for (const id of [...this.#ended.keys()].slice(0, -endsKept)) this.#ended.delete(id)
    const ends = [...this.#ended.values()].map(writeLine)
    const records = [...this.#entries.values()].map((entry) => writeLine({ kind: 'entry', entry }))
    const kept = [...this.#unknown.values()].map(({ line }) => `${line}\n`)
    const bytes = Buffer.from(writeLine(header) + ends.join('') + records.join('') + kept.join(''))
    const beside = `${this.#path}.new`
    try {
      const file = await openPrivate(beside, 'w')
      try {
        await writeWhole(file, bytes, 0)
        await file.datasync()
      } finally {
        await file.close()
      }
      await this.#file?.close()
      this.#file = undefined
      await rename(beside, this.#path)
      await flushFolder(dirname(this.#path))
      this.#file = await open(this.#path, 'r+')
      this.#size = bytes.length
      this.#midLine = false
    } catch (error) {
      await rm(beside, { force: true, recursive: true }).catch(() => undefined)
      // A full disk, or a program that locks a file, must not stop the app, because the old file is still complete.
      this.#file ??= await this.#reopen()
      if (!this.#file) throw error
    }
    this.#endedSince = 0
  }

  /** Reopens the journal to append after a line break. */
  async #reopen(): Promise<FileHandle | undefined> {
    const file = await open(this.#path, 'r+').catch(() => undefined)
    if (file) this.#size = (await file.stat()).size
    return file
  }
}

const isRecord = (value: unknown): value is { kind: string; entry?: unknown } =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
