"""Links kernels into the kernels that call them, and compiles each of them once.

numba optimises every compiled function together with all that it calls, turns it into machine code, and does the same
again for each caller. Where calls are nested ten deep, a rule is compiled ten times. So here a kernel that another one
calls is a linked kernel: it is kept as LLVM's code, neither optimised nor turned into machine code. What Python calls
is an entry kernel: it links the kernels that it calls, and those that they call, and is then optimised once.

A linked kernel is made of the same source as the entry kernel and by the same compiler; only the last steps are left
out. Functions that numba implements in Python, such as filling an array, are linked too where a kernel uses them.
"""

import gc
from collections.abc import Iterable
from contextlib import contextmanager
from functools import partial
from types import CodeType
from typing import Any

import llvmlite.binding as llvm
from numba import _dynfunc
from numba.core.base import BaseContext
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import AnnotateTypes, DumpParforDiagnostics, NativeLowering, NopythonRewrites
from numba.core.types import BaseFunction
from numba.core.typing.templates import Signature
from numba.core.typing.templates import _OverloadFunctionTemplate as NumbasOwn
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    RewriteSemanticConstants,
)

from zamek_env.compiler.code_cache import KernelFiles
from zamek_env.compiler.constant_sizes import ConstantSizes

ALLOCATIONS = 10_000  # between two collections of garbage while numba compiles
ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of variables begin that point to a function's environment


class Library(JITCodeLibrary):
    """A numba library that spends no time on functions that it only declares."""

    def _optimize_functions(self, module):
        """Optimise each function of a module by itself, which makes it smaller; numba goes through the others too."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class LinkedKernel(Library):
    """The code of one kernel, to be linked into others, and all `modules` that it needs itself, callees first."""

    modules: dict[str, bytes]  # LLVM's bitcode, by the names of what it defines

    def finalize(self) -> None:
        """Finish the code without linking, optimising or generating machine code."""
        self._raise_if_finalized()
        _drop_unused(self._final_module, self._codegen)
        self._finalize_dynamic_globals()
        _share(self._final_module)
        self.modules = _list_modules(self._linking_libraries)
        self.modules[_name(self._final_module)] = self._final_module.as_bitcode()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, dict[str, bytes]]:
        """Return the data from which `LinkedFiles` rebuilds the kernel; numba's own libraries return machine code."""
        self._ensure_finalized()
        return self.name, "linked", self.modules

    def _get_module_for_linking(self):
        """Return all modules as one, for functions that are compiled by numba itself."""
        self._ensure_finalized()
        if self._shared_module is None:
            *others, own = self.modules.values()
            self._shared_module = llvm.parse_bitcode(own)
            _link(self._shared_module, others)
        return self._shared_module


class EntryKernel(Library):
    """The code of a kernel that Python calls, with all kernels linked into it."""

    def finalize(self) -> None:
        """Link all kernels, each once, optimise them together, and generate machine code."""
        _link(self._final_module, _list_modules(self._linking_libraries).values())
        self._linking_libraries = []
        super().finalize()


def _list_modules(libraries: Iterable[CodeLibrary]) -> dict[str, bytes]:
    """Return the modules of `libraries` and of their dependencies, each after those that it calls."""
    found: dict[str, bytes] = {}
    for library in libraries:
        library._ensure_finalized()
        if isinstance(library, LinkedKernel):
            found |= {name: module for name, module in library.modules.items() if name not in found}
        else:
            module = library._get_module_for_linking()
            found.setdefault(_name(module), module.as_bitcode())
    return found


def link_kernels(target: llvm.ModuleRef, kernels: Iterable[CodeLibrary]) -> None:
    """Link `kernels`, with their dependencies, into a module that calls them."""
    _link(target, _list_modules(kernels).values())


def _link(target, modules):
    """Link `modules`, of which each comes after those it calls, into `target`, which keeps only what is called."""
    for module in reversed(modules):
        target.link_in(llvm.parse_bitcode(module))


def _name(module):
    """Return the names of all functions that a module defines. Modules with the same names hold the same code."""
    return " ".join(function.name for function in module.functions if not function.is_declaration)


def _share(module):
    """Allow the functions of a module to be linked several times, and dropped where they are not called."""
    for function in module.functions:
        if not function.is_declaration and function.linkage == llvm.Linkage.external:
            function.linkage = "linkonce_odr"


def _drop_unused(module, codegen):
    """Drop variables of a module that nothing refers to."""
    builder = codegen._pass_builder()
    passes = llvm.newpassmanagers.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)


# --- numba's pipeline, with libraries of these kinds ---


@register_pass(mutates_CFG=True, analysis_only=False)
class LinkedLowering(NativeLowering):
    """Turns typed code into a `LinkedKernel`."""

    _name = "zamek_linked_lowering"

    def run_pass(self, state: Any) -> bool:
        """Make the kernel, and register an entry by which other kernels find it, but which cannot be called."""
        _give_library(state, LinkedKernel)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        entry = _make_entry(lowered.fndesc, lowered.env, state.library)
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=entry)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):
    """Turns typed code into a `EntryKernel`, ready to be called."""

    _name = "zamek_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """Make the kernel, and link the environments that numba keeps of linked ones, as it does for its functions."""
        _give_library(state, EntryKernel)
        super().run_pass(state)
        for variable in state.library._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT) and (known := lookup_environment(variable.name)) is not None:
                state.library.codegen.set_env(variable.name, known)
        return True


class KernelCompiler(CompilerBase):
    """numba's compiler for kernels."""

    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[PassManager]:
        """Return the passes."""
        return [_adapt_passes(self.state, self.lowering)]

    def compile_extra(self, func: Any) -> CompileResult:
        """Compile a Python function, and as linked kernels those functions of numba's own that it uses."""
        with (
            _replaced(NumbasOwn, "_get_jit_decorator", _decorate_as_linked),
            _replaced(BaseFunction, "get_call_type", _find_call_type),
            _replaced(BaseContext, "get_function", _find_function),
            _replaced(llvm.ffi.lib._lock, "_cblist", []),  # numba times each call of LLVM, for all that wait for it
            _collecting_seldom(),
        ):
            return super().compile_extra(func)


class LinkedCompiler(KernelCompiler):
    """Makes a `LinkedKernel`."""

    lowering = LinkedLowering


class EntryCompiler(KernelCompiler):
    """Makes an `EntryKernel`."""

    lowering = EntryLowering


@contextmanager
def _replaced(owner, name, value):
    """Replace something of numba's while a kernel is compiled; numba lets one thread compile at a time."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


_find_decorator, _resolve_call = NumbasOwn._get_jit_decorator, BaseFunction.get_call_type
_get_function = BaseContext.get_function
_CALL_TYPES: dict[tuple[Any, ...], Signature] = {}


def _decorate_as_linked(template):
    """Return numba's decorator for its own Python functions, so that it makes linked kernels, which C does not call."""
    return partial(_find_decorator(template), pipeline_class=LinkedCompiler, no_cfunc_wrapper=True)


def _find_call_type(function, context, args, kws):
    """Return the types of a call of one of numba's functions. numba looks through all its variants for each call."""
    key = function, args, tuple(kws.items())
    if key not in _CALL_TYPES:
        _CALL_TYPES[key] = _resolve_call(function, context, args, kws)
    return _CALL_TYPES[key]


def _find_function(context, function, *rest, **named):
    """Return code for one of numba's functions. For each access to an array numba asks all its modules for one."""
    if function == "__array__":
        raise NotImplementedError
    return _get_function(context, function, *rest, **named)


@contextmanager
def _collecting_seldom():
    """Have Python look for garbage less often: it would go through numba's many objects again and again."""
    before = gc.get_threshold()
    gc.set_threshold(before[0] and max(before[0], ALLOCATIONS), *before[1:])  # 0: never
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _adapt_passes(state, lowering):
    """Return those of numba's passes that kernels need, constant sizes of fields, and another code generation."""
    code = state.func_id.code
    left_out = {AnnotateTypes, DumpParforDiagnostics}  # texts that nobody asks for
    left_out |= {NopythonRewrites, InlineInlinables}  # faster sums of arrays; functions with numba's `inline`
    if not any(isinstance(constant, CodeType) for constant in code.co_consts):
        left_out |= {InlineClosureLikes, MakeFunctionToJitFunction}
    if "literal_unroll" not in code.co_names:
        left_out |= {LiteralUnroll, LiteralPropagationSubPipelinePass}
    if "literally" not in code.co_names:
        left_out.add(FindLiterallyCalls)
    passes = PassManager("zamek")
    for stage, description in DefaultPassBuilder.define_nopython_pipeline(state).passes:
        if stage in left_out:
            continue
        passes.add_pass(lowering if stage is NativeLowering else stage, description)
        if stage is RewriteSemanticConstants:
            passes.add_pass(ConstantSizes, "sizes of fields of records")
    passes.finalize()
    return passes


def _give_library(state, kind):
    state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    state.library.enable_object_caching()


def _make_entry(descriptor, environment, library):
    """Return a stand-in for the compiled function of a linked kernel, which has no machine code to call."""
    name = descriptor.qualname.rpartition(".")[-1]
    return _dynfunc.make_function(descriptor.lookup_module(), name, "a linked kernel", 0, environment, (library,))


class LinkedFiles(KernelFiles):
    """Linked kernels as numba's cache keeps them."""

    @property
    def filename_base(self) -> str:
        """The beginning of the names of its files."""
        return f"linked_{super().filename_base}"

    def rebuild(self, target_context: Any, payload: Any) -> CompileResult:
        """Return the kernel that `serialize_using_object_code` described."""
        (name, _, modules), descriptor, environment, signature, in_objects, lifted, annotation, reload, others = payload
        library = LinkedKernel(target_context.codegen(), name)
        library.modules = modules
        library._finalized = True
        return CompileResult(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=_make_entry(descriptor, environment, library),
            typing_error=None,
            type_annotation=annotation,
            signature=signature,
            objectmode=in_objects,
            lifted=lifted,
            fndesc=descriptor,
            library=library,
            call_helper=None,
            environment=environment,
            metadata=None,
            reload_init=reload,
            referenced_envs=others,
        )
