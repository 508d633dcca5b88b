package ffmpeg

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// sandboxFailed is the exit code of a sandbox that could not be set up: not the fault of the program's input.
const sandboxFailed = 125

// Sandbox gives up this process's rights and becomes the program that its arguments after SandboxCommand name. It returns an
// exit code if that fails. A program that calls Sandbox must do so before anything else.
func Sandbox(args []string) int {
	runtime.LockOSThread() // the rights are removed from this thread, which becomes the program
	if len(args) < 2 {
		return sandboxFailed
	}
	var o sandboxConfig
	if err := json.Unmarshal([]byte(args[0]), &o); err != nil {
		fmt.Fprintln(os.Stderr, "the sandbox's configuration:", err)
		return sandboxFailed
	}
	program := args[1]
	missing, err := confine(&o, program)
	if err == nil && o.Report {
		err = json.NewEncoder(os.Stdout).Encode(report{Missing: missing})
		if err == nil {
			return 0
		}
	}
	if err == nil {
		err = syscall.Exec(program, args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "the sandbox:", err)
	return sandboxFailed
}

// confine applies each measure that the configuration does not leave out. If only a report is requested it returns those that this
// system does not support; otherwise a missing measure is an error, because it was supported when the tool was found.
func confine(o *sandboxConfig, program string) (missing map[string]string, err error) {
	missing = map[string]string{}
	apply := func(measure string, fn func() error) {
		if err != nil || !o.with(measure) {
			return
		}
		if failure := fn(); failure != nil {
			missing[measure] = failure.Error()
			if !o.Report {
				err = fmt.Errorf("%s: %w", measure, failure)
			}
		}
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, 10)
	apply(ownMemory, func() error { return limit(o) })
	apply(noNetwork, func() error {
		if os.Geteuid() != 0 {
			return nil // the parent has started this process in its own namespaces
		}
		return unix.Unshare(unix.CLONE_NEWNET | unix.CLONE_NEWIPC)
	})
	rules := -1
	apply(ownFiles, func() (err error) { // opens files while that is still allowed
		rules, err = fileRules(o, program)
		return err
	})
	apply(ownUser, changeUser)
	apply(noPrivilege, func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) })
	if err == nil {
		err = unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0) // the setting is lost when the user changes
	}
	if rules >= 0 {
		apply(ownFiles, func() error { return restrict(rules) })
	}
	apply(noSockets, filter)
	return missing, err
}

func limit(o *sandboxConfig) error {
	for resource, maximum := range map[int]uint64{unix.RLIMIT_DATA: maxMemory, unix.RLIMIT_CPU: o.CPU, unix.RLIMIT_FSIZE: o.FileSize} {
		if maximum == 0 {
			continue
		}
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: maximum, Max: maximum}); err != nil {
			return err
		}
	}
	return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}

func changeUser() error {
	if os.Geteuid() != 0 {
		return errors.New("the service does not run as root, so that the programs run as its own user")
	}
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setresgid(sandboxUID, sandboxUID, sandboxUID); err != nil {
		return err
	}
	return syscall.Setresuid(sandboxUID, sandboxUID, sandboxUID)
}

// The access rights for Landlock. The first version of its interface knows the rights up to making a symbolic link.
const (
	firstRights = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	readRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	workRights  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_REFER
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
)

// libraries lists the folders of programs and what they need; folders that do not exist are left out.
var libraries = []string{
	"/usr", "/lib", "/lib32", "/lib64", "/bin", "/opt", "/nix/store", "/gnu/store", "/snap", "/etc/ld.so.cache", "/etc/ld.so.conf",
	"/etc/ld.so.conf.d", "/etc/alternatives", "/sys/devices/system/cpu", "/proc/cpuinfo", "/dev/urandom",
}

// fileRules makes a Landlock rule set: the work folders, and the files that the program needs.
func fileRules(o *sandboxConfig, program string) (int, error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return -1, fmt.Errorf("this kernel does not support it: %w", errno)
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: firstRights}
	size := unsafe.Offsetof(attr.Handled_access_net)
	if version >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size = unsafe.Offsetof(attr.Scoped)
	}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return -1, errno
	}
	allow := func(path string, rights uint64) error {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil // it does not exist
		}
		defer unix.Close(fd)
		var stat unix.Stat_t
		if err := unix.Fstat(fd, &stat); err != nil {
			return err
		}
		if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
			rights &= fileRights
		}
		// The kernel's struct is packed: 8 bytes of rights, then 4 bytes of file descriptor.
		beneath := unix.LandlockPathBeneathAttr{Allowed_access: rights & attr.Handled_access_fs, Parent_fd: int32(fd)}
		if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0); errno != 0 {
			return fmt.Errorf("%s: %w", path, errno)
		}
		return nil
	}
	paths := libraries
	if real, err := filepath.EvalSymlinks(program); program != "" && err == nil {
		paths = append([]string{filepath.Dir(real), filepath.Dir(program)}, paths...)
	}
	for _, path := range paths {
		if err := allow(path, readRights); err != nil {
			return -1, err
		}
	}
	if err := allow("/dev/null", unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_WRITE_FILE); err != nil {
		return -1, err
	}
	for _, dir := range o.Dirs {
		if err := allow(dir, workRights); err != nil {
			return -1, err
		}
	}
	return int(rules), nil
}

func restrict(rules int) error {
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); errno != 0 {
		return errno
	}
	return unix.Close(rules)
}

// forbidden lists the system calls that no decoder needs: those that reach the network or other programs, and those that
// give access to large parts of the kernel.
var forbidden = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_PTRACE,
	unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_KEYCTL, unix.SYS_ADD_KEY,
	unix.SYS_REQUEST_KEY, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_PIDFD_GETFD,
}

// filter makes the kernel refuse the forbidden calls, and every call with another architecture's numbering.
func filter() error {
	arch, known := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !known {
		return errors.New("not implemented for " + runtime.GOARCH)
	}
	const (
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		atMost = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		answer = unix.BPF_RET | unix.BPF_K
		x32    = 0x40000000 // a second numbering of the same architecture
	)
	refuse := uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EPERM)
	program := []unix.SockFilter{
		{Code: load, K: 4}, // load the architecture
		{Code: equal, K: arch, Jt: 1},
		{Code: answer, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: 0}, // load the number of the call
	}
	if runtime.GOARCH == "amd64" {
		program = append(program, unix.SockFilter{Code: atMost, K: x32, Jf: 1}, unix.SockFilter{Code: answer, K: refuse})
	}
	for _, call := range forbidden {
		program = append(program, unix.SockFilter{Code: equal, K: call, Jf: 1}, unix.SockFilter{Code: answer, K: refuse})
	}
	program = append(program, unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW})
	bpf := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&bpf)), 0, 0)
}

// setNamespaces starts a process in new namespaces, if it may not create them itself.
func (s *sandbox) setNamespaces(attr *syscall.SysProcAttr) {
	if os.Geteuid() == 0 || strings.Contains(strings.Join(s.without, ","), noNetwork) {
		return
	}
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
}
