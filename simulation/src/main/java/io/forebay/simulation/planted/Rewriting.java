// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.planted;

import io.forebay.simulation.planted.MethodEdit.Body;
import io.forebay.simulation.planted.body.CallBound;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries out edits of methods on class files. An edit whose class or method is gone, or whose
 * types do not fit any more, is refused by a {@link Mismatch} that says so.
 */
final class Rewriting {
  /** An edit does not fit the code that it is for. */
  static final class Mismatch extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Mismatch(MethodEdit edit, String why) {
      super(edit + " cannot be rewritten: " + why);
    }
  }

  /** A method that is called by a rewritten one. */
  private record Target(ClassDesc owner, String name, MethodTypeDesc type, boolean isStatic) {}

  private static final ClassDesc BOUND = ClassDesc.of(CallBound.class.getName());

  private final ClassSource source;
  private final ClassFile writer;

  Rewriting(ClassSource source) {
    this.source = source;
    // Read from class files: loading a class would give the wrong one.
    this.writer =
        ClassFile.of(
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(source.loader())));
  }

  /** The class with all these edits, each of one of its methods. */
  byte[] rewrite(String type, List<MethodEdit> edits) {
    ClassModel model = source.model(type);
    if (model == null) throw new Mismatch(edits.getFirst(), "there is no such class");
    return writer.transformClass(model, transform(model, edits));
  }

  private ClassTransform transform(ClassModel model, List<MethodEdit> edits) {
    ClassTransform all = ClassTransform.ACCEPT_ALL;
    for (MethodEdit edit : edits) {
      MethodModel method = only(model, edit.method(), edit);
      CodeTransform code = code(model, method, edit);
      Predicate<MethodModel> isMeant =
          each ->
              each.methodName().equals(method.methodName())
                  && each.methodType().equals(method.methodType());
      all = all.andThen(ClassTransform.transformingMethodBodies(isMeant, code));
    }
    return all;
  }

  /** The method of that name, if the source has exactly one. */
  private static MethodModel only(ClassModel model, String name, MethodEdit edit) {
    List<MethodModel> found = new ArrayList<>();
    for (MethodModel each : model.methods()) {
      if (!each.methodName().equalsString(name)) continue;
      if (each.flags().has(AccessFlag.BRIDGE) || each.code().isEmpty()) continue;
      found.add(each);
    }
    if (found.isEmpty()) throw new Mismatch(edit, "the class has no method '" + name + "'");
    if (found.size() > 1) {
      throw new Mismatch(edit, "the class has " + found.size() + " methods '" + name + "'");
    }
    return found.getFirst();
  }

  private CodeTransform code(ClassModel model, MethodModel method, MethodEdit edit) {
    MethodTypeDesc type = method.methodTypeSymbol();
    ClassDesc result = type.returnType();
    return switch (edit.body()) {
      case Body.Returns returns -> {
        boolean truth = returns.value() instanceof Boolean;
        require(edit, result, truth ? ConstantDescs.CD_boolean : ConstantDescs.CD_long);
        yield instead(code -> constant(code, returns.value()));
      }
      case Body.Nothing nothing -> {
        require(edit, result, ConstantDescs.CD_void);
        yield instead(CodeBuilder::return_);
      }
      case Body.Negated negated -> {
        require(edit, result, ConstantDescs.CD_boolean);
        yield before(code -> code.invokestatic(BOUND, "count", ConstantDescs.MTD_void))
            .andThen(beforeReturn(code -> code.iconst_1().ixor()));
      }
      case Body.Other other -> {
        Target target = other(model, other.method(), edit);
        List<ClassDesc> taken = target.type().parameterList();
        boolean fits = taken.size() <= type.parameterCount();
        require(edit, taken, fits ? type.parameterList().subList(0, taken.size()) : List.of());
        require(edit, target.type().returnType(), result);
        yield instead(
            code -> {
              if (!target.isStatic()) code.aload(code.receiverSlot());
              loadParameters(code, target.type());
              call(code, target);
              code.return_(TypeKind.from(result));
            });
      }
      case Body.First first -> {
        Target target = other(model, first.method(), edit);
        require(edit, target.type().parameterList(), List.of());
        yield before(code -> callAndForget(code, target));
      }
      case Body.Last last -> {
        Target target = other(model, last.method(), edit);
        require(edit, target.type().parameterList(), List.of());
        yield beforeReturn(code -> callAndForget(code, target));
      }
      case Body.Replaced replaced -> {
        Writing call = call(model, method, replaced.by(), result, edit);
        yield instead(
            code -> {
              call.write(code);
              code.return_(TypeKind.from(result));
            });
      }
      case Body.Preceded preceded -> {
        Writing call = call(model, method, preceded.by(), result, edit);
        yield before(
            code -> {
              Label goesOn = code.newLabel();
              call.write(code);
              code.dup().ifnull(goesOn).areturn().labelBinding(goesOn).pop();
            });
      }
      case Body.Result altered -> {
        Target target = replacement(altered.through(), edit);
        require(edit, target.type().returnType(), result);
        boolean arguments = target.type().parameterCount() > 1;
        List<ClassDesc> wanted = new ArrayList<>(List.of(result));
        if (arguments) wanted.addAll(type.parameterList());
        require(edit, target.type().parameterList(), wanted);
        yield beforeReturn(
            code -> {
              if (arguments) loadParameters(code, type);
              call(code, target);
            });
      }
      case Body.SkippedIf skipped -> {
        require(edit, result, ConstantDescs.CD_void);
        Writing call = call(model, method, skipped.says(), ConstantDescs.CD_boolean, edit);
        yield before(
            code -> {
              Label goesOn = code.newLabel();
              call.write(code);
              code.ifeq(goesOn).return_().labelBinding(goesOn);
            });
      }
    };
  }

  /** The call of a replacement with the fields that it wants, and all arguments. */
  private Writing call(
      ClassModel model,
      MethodModel method,
      MethodEdit.Replacement by,
      ClassDesc result,
      MethodEdit edit) {
    Target target = replacement(by, edit);
    require(edit, target.type().returnType(), result);
    ClassDesc self = model.thisClass().asSymbol();
    List<ClassDesc> wanted = new ArrayList<>();
    for (String field : by.fields()) {
      boolean whole = field.equals(MethodEdit.Replacement.THIS);
      wanted.add(whole ? self : fieldType(model, field, edit));
    }
    if (!wanted.isEmpty() && method.flags().has(AccessFlag.STATIC)) {
      throw new Mismatch(edit, "a static method has no object to take " + by.fields() + " from");
    }
    wanted.addAll(method.methodTypeSymbol().parameterList());
    require(edit, target.type().parameterList(), wanted);
    return code -> {
      for (int i = 0; i < by.fields().size(); i++) {
        String field = by.fields().get(i);
        code.aload(code.receiverSlot());
        if (!field.equals(MethodEdit.Replacement.THIS)) code.getfield(self, field, wanted.get(i));
      }
      loadParameters(code, method.methodTypeSymbol());
      call(code, target);
    };
  }

  private static ClassDesc fieldType(ClassModel model, String name, MethodEdit edit) {
    for (FieldModel each : model.fields()) {
      if (each.fieldName().equalsString(name)) return each.fieldTypeSymbol();
    }
    throw new Mismatch(edit, "the class has no field '" + name + "'");
  }

  /** Writes some code. */
  private interface Writing {
    void write(CodeBuilder code);
  }

  private static CodeTransform instead(Writing body) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        body.write(code);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        // The original code is dropped.
      }
    };
  }

  private static CodeTransform before(Writing more) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        more.write(code);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
      }
    };
  }

  private static CodeTransform beforeReturn(Writing more) {
    return (code, element) -> {
      if (element instanceof ReturnInstruction) more.write(code);
      code.with(element);
    };
  }

  private static void constant(CodeBuilder code, Object value) {
    switch (value) {
      case Boolean truth -> code.loadConstant(truth ? 1 : 0).ireturn();
      case Long number -> code.loadConstant((long) number).lreturn();
      default -> throw new IllegalArgumentException("no constant: " + value);
    }
  }

  private static void loadParameters(CodeBuilder code, MethodTypeDesc type) {
    for (int i = 0; i < type.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(type.parameterType(i)), code.parameterSlot(i));
    }
  }

  private static void call(CodeBuilder code, Target target) {
    if (target.isStatic()) code.invokestatic(target.owner(), target.name(), target.type());
    else code.invokevirtual(target.owner(), target.name(), target.type());
  }

  private static void callAndForget(CodeBuilder code, Target target) {
    if (!target.isStatic()) code.aload(code.receiverSlot());
    call(code, target);
    switch (TypeKind.from(target.type().returnType()).slotSize()) {
      case 1 -> code.pop();
      case 2 -> code.pop2();
      default -> {}
    }
  }

  private static Target other(ClassModel model, String name, MethodEdit edit) {
    MethodModel found = only(model, name, edit);
    boolean isStatic = found.flags().has(AccessFlag.STATIC);
    return new Target(model.thisClass().asSymbol(), name, found.methodTypeSymbol(), isStatic);
  }

  private Target replacement(MethodEdit.Replacement by, MethodEdit edit) {
    ClassModel model = source.model(by.type().getName());
    if (model == null) throw new Mismatch(edit, "there is no class for " + by);
    MethodModel found = only(model, by.method(), edit);
    if (!found.flags().has(AccessFlag.STATIC) || !found.flags().has(AccessFlag.PUBLIC)) {
      throw new Mismatch(edit, by + " is not public and static");
    }
    return new Target(model.thisClass().asSymbol(), by.method(), found.methodTypeSymbol(), true);
  }

  private static void require(MethodEdit edit, @Nullable Object is, Object wanted) {
    if (wanted.equals(is)) return;
    throw new Mismatch(edit, "types are " + is + ", and should be " + wanted);
  }
}
